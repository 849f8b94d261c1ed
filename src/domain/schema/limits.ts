/** Lengths of names and texts, in characters. */
export const nodeNameLengthMin = 2;
export const nameLengthMin = 3;
export const nameLengthMax = 32;
export const kindLabelLengthMax = 64;
export const fieldLabelLengthMax = 32;
export const descriptionLengthMax = 128;
export const identifierLengthMax = 128;
/** A kind is a namespace and a name. */
export const kindLengthMax = 2 * nameLengthMax;
/** Icons, addresses of documentation, menu places, paths, choices. */
export const textLengthMax = 500;
export const templateLengthMax = 10_000;

/** Kinds of one schema, fields of one kind, entries of any other list. */
export const kindsMax = 10_000;
export const fieldsPerKindMax = 1000;
export const listLengthMax = 1000;

/** How many cycles of parts are told, and how many kinds of each. */
export const cyclesMax = 20;
export const cycleLengthShownMax = 10;

/** How many problems of one document are reported; the rest is only counted. */
export const problemsMax = 1000;

/** Ids of generated elements kept, so that they are hashed once. */
export const derivedIdsMax = 200_000;
