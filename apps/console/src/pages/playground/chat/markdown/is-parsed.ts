/** A model that repeats itself writes `- - - - …`. The parser and the browser recurse into each level. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){33}|^[ \t]{128}/m;
/** Time to parse one line may grow with the square of its length: 20,000 characters took seconds. */
const TOO_LONG = /^.{10000}/m;

/** False: the text nests so deep, or has a line so long, that its source is shown instead. */
export const isParsed = (text: string): boolean => !TOO_DEEP.test(text) && !TOO_LONG.test(text);
