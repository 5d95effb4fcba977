import { isFields } from '../json/fields.js';

/** A text of JSON, or a brace outside of one. */
const TEXT_OR_BRACE = /"(?:[^"\\]|\\.)*"|[{}]/gs;

/** The length of the object at the head of the text; undefined if it does not end. */
function lengthOfObject(text: string): number | undefined {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(TEXT_OR_BRACE)) {
    if (found === '{') depth += 1;
    if (found === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}

function objectAt(text: string, start: number): unknown {
  const rest = text.slice(start);
  try {
    return JSON.parse(rest.slice(0, lengthOfObject(rest))) as unknown;
  } catch {
    // Braces of the text itself.
    return undefined;
  }
}

/** The first JSON object in the text that is a schema; undefined if there is none. */
export const schemaIn = (text: string): unknown => {
  // An object that starts after the last `properties` has none.
  const last = text.lastIndexOf('"properties"');
  for (let start = text.indexOf('{'); start >= 0 && start < last; start = text.indexOf('{', start + 1)) {
    const value = objectAt(text, start);
    if (isFields(value) && isFields(value.properties)) return value;
  }
  return undefined;
};
