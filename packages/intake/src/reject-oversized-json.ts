import { GatewayError, jsonBytes as json } from '@gateway/contracts';
import { pathToByte } from './path-to-byte.js';
import { MAX_DEPTH, nestedTooDeep } from './reject-deep-json.js';

/** Many times what the longest context holds; 32 MB could be eleven million, and seven seconds in which nobody is served. */
const MOST_VALUES = 1_000_000;
/** Names cost a parser a hundred times what numbers cost, if each is another. */
const MOST_NAMES = 500_000;

const tooMany = (what: string, most: number) =>
  new GatewayError('request_too_large', `The body of the request has more than ${most} ${what}.`);

/**
 * Throws for a body that would keep a parser busy for seconds: it runs before the parser, on the bytes, and knows of JSON no
 * more than where strings end. What is no JSON it leaves to the parser. It costs a millisecond for each megabyte of text, and
 * next to nothing for pictures. Gives how many names of fields are written in it.
 */
export function rejectOversizedJson(body: Buffer): number {
  let depth = 0;
  let values = 0;
  let names = 0;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case json.QUOTE:
        at = json.endOfString(body, at);
        break;
      case json.OPEN_LIST:
      case json.OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) throw nestedTooDeep(pathToByte(body, at));
        break;
      case json.CLOSE_LIST:
      case json.CLOSE_OBJECT:
        depth -= 1;
        break;
      case json.COMMA:
        values += 1;
        if (values > MOST_VALUES) throw tooMany('values', MOST_VALUES);
        break;
      case json.COLON:
        names += 1;
        if (names > MOST_NAMES) throw tooMany('names of fields', MOST_NAMES);
        break;
    }
  }
  if (values > MOST_VALUES) throw tooMany('values', MOST_VALUES);
  return names;
}
