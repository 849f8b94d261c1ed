import type {ErrorCode} from '../../domain/errors.ts';

/** The HTTP status of every coded error. */
export const STATUS = {
  AUTHENTICATION_REQUIRED: 401,
  BRANCH_NOT_FOUND: 400,
  CONSTRAINT_VIOLATION: 422,
  NODE_NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  SCHEMA_NOT_FOUND: 404,
  UNAVAILABLE: 503,
  VALIDATION_ERROR: 422,
} as const satisfies Record<ErrorCode, number>;

/** What GraphQL calls a fault that no caller caused. Over REST such a fault is told by its status alone. */
export const FAULT = {code: 'UNDEFINED_ERROR', status: 500} as const;
