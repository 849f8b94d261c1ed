import type {FastifyRequest} from 'fastify';
import type {Bytes} from '../../ports/object-store.ts';
import {boundaryOf, formParts} from '../http/form-parts.ts';
import {HttpProblem, RequestInvalid} from '../http/problem.ts';
import {MULTIPART_TYPE} from './route.ts';

/**
 * Hands the file of one field of a form to whoever wants it, as it arrives; undefined when the form has none.
 * A form that breaks off in the middle fails, so that no half of a file is taken for a whole.
 */
export async function filePart<T>(
  http: FastifyRequest,
  field: string,
  take: (content: Bytes) => Promise<T>,
): Promise<T | undefined> {
  const type = http.headers['content-type'];
  if (type?.toLowerCase().startsWith(MULTIPART_TYPE) !== true) return undefined;
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw new HttpProblem(400, 'The form data names no boundary');
  let taken: T | undefined;
  const body = http.raw.iterator({destroyOnReturn: false}) as AsyncIterableIterator<Buffer>;
  try {
    for await (const part of formParts(body, boundary)) {
      if (part.name !== field) continue;
      if (!part.isFile) throw noFile(field);
      taken ??= await take(part.content);
    }
    return taken;
  } finally {
    // The rest is read and dropped: a caller hears a refusal only when it may finish its request.
    await body.return?.();
    http.raw.resume();
  }
}

const noFile = (field: string) =>
  new RequestInvalid([{loc: ['body', field], msg: 'Expected a file', type: 'value_error'}]);
