/** Where something stands in the request, as keys and positions from the body down. */
export type Location = readonly (string | number)[];

/** Something wrong with the shape of a document, at its place in the request. */
export type DocumentProblem = {
  readonly loc: Location;
  /** A sentence that says what to change. */
  readonly message: string;
  /** A stable word for the sort of problem, such as `missing` or `extra_forbidden`. */
  readonly type: string;
};

/** Something wrong with the meaning of a schema. */
export type SchemaProblem = {
  /** `Kind`, `Kind.property`, `Kind.field` or `Kind.field.property`. */
  readonly path: string;
  /** A sentence that says what to change. */
  readonly message: string;
};

export const problem = (path: string, message: string): SchemaProblem => ({path, message});
