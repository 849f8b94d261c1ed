import type {GraphQLFieldConfigMap} from 'graphql';
import type {Schema} from '../../../domain/schema/schema.ts';
import type {FieldContext} from '../engine.ts';
import type {KindTypeBook} from './kind-types.ts';

/** Root fields beside those of the kinds, each with a resolver of its own. */
export interface RootFields {
  readonly query: GraphQLFieldConfigMap<unknown, FieldContext>;
  readonly mutation: GraphQLFieldConfigMap<unknown, FieldContext>;
  /** Their source has the value of each under its name. */
  readonly subscription?: GraphQLFieldConfigMap<unknown, FieldContext>;
}

/** Makes root fields for a schema; every area of the service brings its own. */
export type RootFieldsMaker = (schema: Schema, types: KindTypeBook) => RootFields;
