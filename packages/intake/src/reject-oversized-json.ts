import { GatewayError, jsonBytes as json } from '@gateway/contracts';
import { pathToByte } from './path-to-byte.js';
import { MAX_DEPTH, nestedTooDeep } from './reject-deep-json.js';

/** Many times what a real request has. Each value costs validation about a microsecond. */
const MAX_VALUES = 100_000;
/** Distinct names cost a parser a hundred times as much as numbers. */
const MAX_NAMES = 20_000;

const tooMany = (what: string, limit: number) =>
  new GatewayError('invalid_request', `The body of the request has too many ${what}: expected at most ${limit}.`);

/** The structure of an unparsed JSON body. Parsing and validation cost time by these, and little by bytes. */
export interface JsonSize {
  readonly names: number;
  readonly values: number;
}

/**
 * Throws for a body that would block the parser for seconds. Scans the bytes before the parser does; the parser reports
 * malformed JSON. A megabyte of text takes a millisecond, and base64 images almost nothing.
 */
export function rejectOversizedJson(body: Buffer): JsonSize {
  let depth = 0;
  let values = 0;
  let names = 0;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case json.QUOTE:
        at = json.endOfString(body, at);
        break;
      case json.OPEN_ARRAY:
      case json.OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) throw nestedTooDeep(pathToByte(body, at));
        break;
      case json.CLOSE_ARRAY:
      case json.CLOSE_OBJECT:
        depth -= 1;
        break;
      case json.COMMA:
        values += 1;
        if (values > MAX_VALUES) throw tooMany('values', MAX_VALUES);
        break;
      case json.COLON:
        names += 1;
        if (names > MAX_NAMES) throw tooMany('names of fields', MAX_NAMES);
        break;
    }
  }
  if (values > MAX_VALUES) throw tooMany('values', MAX_VALUES);
  return { names, values };
}
