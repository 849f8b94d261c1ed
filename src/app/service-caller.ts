import {FULL_ACCESS} from '../domain/access/access.ts';
import type {Caller} from './caller.ts';

/** The service, when it does something by itself. */
export const SERVICE: Caller = {account: null, access: FULL_ACCESS};
