declare const brand: unique symbol;

/** Text or a number that means something; made only by the parser of its kind. */
export type Brand<T, Name extends string> = T & {readonly [brand]: Name};
