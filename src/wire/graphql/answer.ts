import type {GraphQLError} from 'graphql';
import {type ErrorJson, type ErrorSink, errorJson} from './errors.ts';

/** The answer to one request, written out. */
export interface Answer {
  readonly text: string;
  /** The operation was never run: it could not be understood. */
  readonly isRefused: boolean;
  readonly errors: readonly ErrorJson[];
}

export interface FieldAnswer {
  /** A name, which needs no escape in JSON. */
  readonly key: string;
  /** The JSON text of the field. */
  readonly text: string;
  readonly errors: readonly GraphQLError[];
}

export function answerOf(fields: readonly FieldAnswer[], sink: ErrorSink): Answer {
  const errors: ErrorJson[] = [];
  let data = '';
  for (const field of fields) {
    data += `${data === '' ? '' : ','}"${field.key}":${field.text}`;
    for (const error of field.errors) errors.push(errorJson(error, sink));
  }
  const tail = errors.length === 0 ? '' : `,"errors":${JSON.stringify(errors)}`;
  return {text: `{"data":{${data}}${tail}}`, isRefused: false, errors};
}

export function refusalOf(refused: readonly GraphQLError[], sink: ErrorSink): Answer {
  const errors = refused.map(error => errorJson(error, sink));
  return {text: JSON.stringify({data: null, errors}), isRefused: true, errors};
}
