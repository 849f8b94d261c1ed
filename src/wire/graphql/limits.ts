/** What one GraphQL request may ask for. Over any of these it is refused before it costs anything. */
export interface GraphqlLimits {
  readonly queryCharactersMax: number;
  readonly tokensMax: number;
  readonly depthMax: number;
  /** Fields of the document with its fragments written out. */
  readonly fieldsMax: number;
  readonly aliasesMax: number;
  /** Rows of one list, asked for or found. */
  readonly pageRowsMax: number;
  /** Rows of one answer, all levels together. */
  readonly rowsMax: number;
  /** Steps up or down a hierarchy. */
  readonly hierarchyDepthMax: number;
  /** Rows of one bulk mutation. */
  readonly bulkRowsMax: number;
  /** Objects of one answer whose history is shown, and commits shown of each. */
  readonly historiesMax: number;
  readonly historyRowsMax: number;
  readonly documentsCachedMax: number;
  readonly documentCharactersCachedMax: number;
  readonly schemasCachedMax: number;
  /** Of texts of versions, in all documents together. */
  readonly fragmentCharactersCachedMax: number;
}

export const GRAPHQL_LIMITS: GraphqlLimits = {
  queryCharactersMax: 1_000_000,
  tokensMax: 60_000,
  depthMax: 50,
  fieldsMax: 20_000,
  aliasesMax: 2_000,
  pageRowsMax: 10_000,
  rowsMax: 500_000,
  hierarchyDepthMax: 50,
  bulkRowsMax: 20_000,
  historiesMax: 100,
  historyRowsMax: 200,
  documentsCachedMax: 1_000,
  documentCharactersCachedMax: 20_000,
  schemasCachedMax: 20,
  fragmentCharactersCachedMax: 50_000_000,
};
