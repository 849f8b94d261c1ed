import {type GraphQLInterfaceType, type GraphQLObjectType, getNamedType} from 'graphql';
import {ATTRIBUTE_FACES} from './attribute-kinds.ts';

const OUTPUTS: ReadonlySet<string> = new Set(Object.values(ATTRIBUTE_FACES).map(face => face.output));

/** The attributes among the fields of a node type. */
export function attributeNames(type: GraphQLObjectType | GraphQLInterfaceType): readonly string[] {
  return Object.values(type.getFields())
    .filter(field => OUTPUTS.has(getNamedType(field.type).name))
    .map(field => field.name);
}
