import * as jsonBytes from '../json/json-bytes.js';

const message = (text: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"type":"message","role":"user","content":'), text, Buffer.from('}')]);

/** The items of a request's input, without the brackets of their list. A text becomes a message. */
export const itemsOfInput = (input: Buffer): Buffer =>
  input[0] === jsonBytes.OPEN_ARRAY ? elementsOfList(input) : message(input);

/** The elements of a list, without its brackets. */
export const elementsOfList = (list: Buffer): Buffer => list.subarray(1, list.lastIndexOf(']'));
