import type {Json} from '../base/json.ts';

/**
 * What a caller can cause. `wire` maps each code to a status; nothing here knows of HTTP.
 * Every code is described in docs/errors.md, and a test keeps the two lists equal.
 */
export type ErrorCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'BRANCH_NOT_FOUND'
  | 'CONSTRAINT_VIOLATION'
  | 'NODE_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'SCHEMA_NOT_FOUND'
  | 'UNAVAILABLE'
  | 'VALIDATION_ERROR';

export type ErrorFacts = {readonly [key: string]: Json};

export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.facts = facts;
  }
}

export const validationError = (message: string, facts: ErrorFacts = {}) =>
  new ServiceError('VALIDATION_ERROR', message, facts);

export const constraintViolation = (message: string, facts: ErrorFacts = {}) =>
  new ServiceError('CONSTRAINT_VIOLATION', message, facts);

export const nodeNotFound = (kind: string, id: string) =>
  new ServiceError('NODE_NOT_FOUND', `Unable to find the node ${id} / ${kind} in the database.`, {kind, id});

export const branchNotFound = (branch: string) =>
  new ServiceError('BRANCH_NOT_FOUND', `Branch: ${branch} not found.`, {branch});

export const kindNotFound = (kind: string) =>
  new ServiceError('SCHEMA_NOT_FOUND', `Unable to find the schema '${kind}' on this branch`, {kind});

export const permissionDenied = (message: string, facts: ErrorFacts = {}) =>
  new ServiceError('PERMISSION_DENIED', message, facts);

export const authenticationRequired = (message = 'Authentication is required') =>
  new ServiceError('AUTHENTICATION_REQUIRED', message);

/** The service cannot serve this now, through no fault of the caller: a full disk, a failed sync. */
export const unavailable = (message: string, options?: ErrorOptions) =>
  new ServiceError('UNAVAILABLE', message, {}, options);
