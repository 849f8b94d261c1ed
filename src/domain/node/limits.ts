/** Objects that one verb may make: nested ones and those of a template included. */
export const objectsMadeMax = 10_000;

/** Objects that one delete may take along. */
export const objectsDeletedMax = 100_000;

/** Objects whose derived values one verb may bring up to date. */
export const objectsRefreshedMax = 100_000;

/** Objects looked at together while derived values are worked out. */
export const refreshBatchSize = 500;

/** A chain of computed attributes settles within this many rounds, or is taken for a circle. */
export const computedRoundsMax = 100;

/** Steps from an object to the top of its hierarchy. */
export const hierarchyDepthMax = 1_000;

/** Objects in the way that an error lists; the count is always exact. */
export const objectsInErrorMax = 20;
