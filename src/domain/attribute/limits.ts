/** Code points a text value may have at most; TextArea, JSON, List and Any have their own bound. */
export const textLengthMax = 4095;

/** UTF-8 bytes of a TextArea, and of the canonical JSON of a JSON, List or Any value. */
export const largeValueBytesMax = 1024 * 1024;

/** Objects and arrays inside one another in a JSON, List or Any value. */
export const jsonDepthMax = 100;
