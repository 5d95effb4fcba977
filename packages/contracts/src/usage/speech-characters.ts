const HAN = /\p{Script=Han}/gu;
/** The second half of a character outside the basic plane. */
const LOW_SURROGATE = /[\uDC00-\uDFFF]/g;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Billed characters of a text: 2 for a Han character, 1 for any other. */
export const countSpeechCharacters = (text: string): number =>
  text.length - count(text, LOW_SURROGATE) + count(text, HAN);
