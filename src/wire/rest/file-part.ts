import type {FastifyRequest} from 'fastify';
import type {Bytes} from '../../ports/object-store.ts';
import {HttpProblem, RequestInvalid} from '../http/problem.ts';

/**
 * Hands the file of one field of a form to whoever wants it, as it arrives; undefined when the form has none.
 * A form that breaks off in the middle fails, so that no half of a file is taken for a whole.
 */
export async function filePart<T>(
  http: FastifyRequest,
  field: string,
  take: (content: Bytes) => Promise<T>,
): Promise<T | undefined> {
  if (!http.isMultipart()) return undefined;
  let taken: T | undefined;
  try {
    for await (const part of http.parts()) {
      if (part.type !== 'file') {
        if (part.fieldname === field) throw noFile(field);
      } else if (part.fieldname === field && taken === undefined) {
        taken = await take(part.file);
      } else {
        part.file.resume();
      }
    }
  } catch (error) {
    throw isBroken(error) ? new HttpProblem(400, 'The form data is not well formed', {cause: error}) : error;
  }
  return taken;
}

const noFile = (field: string) =>
  new RequestInvalid([{loc: ['body', field], msg: 'Expected a file', type: 'value_error'}]);

/** Errors of the parser, which have no code of ours. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (/multipart|boundary|Part terminated|premature|aborted/i.test(error.message) ||
    ('code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET')));
