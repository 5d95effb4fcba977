const HAN = /\p{Script=Han}/gu;
/** The second halves of characters outside the basic plane. */
const LOW_SURROGATE = /[\uDC00-\uDFFF]/g;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Characters of speech as they are billed: a Han character is two, any other is one. */
export const countSpeechCharacters = (text: string): number =>
  text.length - count(text, LOW_SURROGATE) + count(text, HAN);
