import { type Fields, isAbsent, textOf } from '../../json/fields.js';
import { notDeserialized } from './xai-errors.js';

/** A field that has one of these words, or none: then it is the usual one. */
export function oneOf(request: Fields, name: string, words: readonly string[], fallback: string): string {
  const value = request[name];
  if (isAbsent(value)) return fallback;
  const word = textOf(value);
  if (!words.includes(word)) {
    const expected = words.map((known) => `\`${known}\``).join(' or ');
    throw notDeserialized(`${name}: unknown variant \`${String(value)}\`, expected ${expected}`);
  }
  return word;
}
