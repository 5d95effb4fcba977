import { isFields } from '../json/fields.js';

/** A text of JSON, also one without an end, or a brace outside of one. Each character is read once. */
const TEXT_OR_BRACE = /"(?:[^"\\]|\\.?)*(?:"|$)|[{}]/gs;
/** Braces that are tried: a prompt of nothing else must not stop the simulator. */
const MOST_TRIED = 64;

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

function startsIn(text: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('{'); at >= 0 && starts.length < MOST_TRIED; at = text.indexOf('{', at + 1))
    starts.push(at);
  return starts;
}

/** The first JSON object in the text that is a schema; undefined if there is none. */
export const schemaIn = (text: string): unknown => {
  // An object that starts after the last `properties` has none.
  const last = text.lastIndexOf('"properties"');
  for (const start of startsIn(text).filter((one) => one < last)) {
    const value = objectAt(text, start);
    if (isFields(value) && isFields(value.properties)) return value;
  }
  return undefined;
};
