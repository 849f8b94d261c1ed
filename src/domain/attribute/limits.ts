/** Code points a text value may have at most; TextArea, JSON, List and Any have their own bound. */
export const textLengthMax = 4095;

/** UTF-8 bytes of a TextArea, and of the canonical JSON of a JSON, List or Any value. */
export const largeValueBytesMax = 1024 * 1024;

/** Objects and arrays inside one another in a JSON, List or Any value. */
export const jsonDepthMax = 100;

/** A regular expression of an attribute: its text, its groups inside one another, its compiled form. */
export const regexLengthMax = 2000;
export const regexDepthMax = 50;
export const regexProgramStepsMax = 10_000;

/** State visits one match may take; a value that needs more is refused. About a tenth of a second. */
export const regexMatchStepsMax = 5_000_000;

/** Compiled regular expressions kept. */
export const regexCacheEntriesMax = 1000;

/** A template: its text, blocks or expressions inside one another, the work and the text of one rendering. */
export const templateLengthMax = 65_536;
export const templateDepthMax = 60;
export const templateTagTokensMax = 1000;
export const renderStepsMax = 100_000;
export const renderLengthMax = 65_536;

/** Lists inside one another while a template is rendered. */
export const renderDepthMax = 300;
