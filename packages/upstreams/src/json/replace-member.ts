import { jsonBytes } from '@gateway/contracts';
import { JsonCursor } from './json-cursor.js';

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Places of the values below a path of names. A name that is there twice has two: readers differ in which they take. */
function placesOf(cursor: JsonCursor, path: readonly string[], places: Place[]): void {
  const [name, ...rest] = path;
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    const isOnPath = name !== undefined && cursor.keyMeans(name);
    cursor.peek();
    const start = cursor.position;
    if (isOnPath && rest.length > 0 && cursor.isObject) {
      placesOf(cursor, rest, places);
      continue;
    }
    cursor.skipValue();
    if (isOnPath && rest.length === 0) places.push({ start, end: cursor.position });
  }
}

/**
 * A JSON object with the value at a path of names replaced and every other byte as it was; the same bytes if there is
 * no such value. Throws a GatewayError (`upstream_error`) for what is not a JSON object.
 */
export function replaceMember(json: Buffer, path: readonly string[], value: string): Buffer {
  const cursor = new JsonCursor();
  cursor.open(json);
  const places: Place[] = [];
  placesOf(cursor, path, places);
  cursor.expectEnd();
  return replacePlaces(json, places, value);
}

/** As `replaceMember`, of a JSON object that has been parsed before: its values are stepped over, and nothing is refused. */
export const replaceTopMember = (json: Buffer, name: string, value: string): Buffer =>
  replacePlaces(
    json,
    jsonBytes.placesOfMembers(json).filter((place) => place.name === name),
    value,
  );

function replacePlaces(json: Buffer, places: readonly Place[], value: string): Buffer {
  const replacement = Buffer.from(value);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of places) {
    pieces.push(json.subarray(from, start), replacement);
    from = end;
  }
  return from === 0 ? json : Buffer.concat([...pieces, json.subarray(from)]);
}
