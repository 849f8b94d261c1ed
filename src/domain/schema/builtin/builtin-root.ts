import type {JsonObject} from '../../../base/json.ts';

/** Kinds that come with the service, written as anyone else's document would be. */
export type BuiltinRoot = {
  readonly generics?: readonly JsonObject[];
  readonly nodes?: readonly JsonObject[];
};
