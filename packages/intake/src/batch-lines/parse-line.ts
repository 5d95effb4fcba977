import { isUtf8 } from 'node:buffer';
import { isGatewayError, isJsonObject, jsonBytes, publishedBatchPath } from '@gateway/contracts';
import { rejectOversizedJson } from '../reject-oversized-json.js';
import { type InputLine, MAX_LINE_BYTES } from './split-lines.js';

/** A line that is a request, or what is wrong with it. `body`: the bytes as they came. */
export type ParsedLine =
  | { readonly customId: string; readonly body: Buffer }
  | {
      readonly customId: string | null;
      readonly wrong: { readonly code: string; readonly message: string; readonly param: string | null };
    };

const MAX_CUSTOM_ID = 512;

/** `path`: the endpoint of the batch. Never throws: a wrong line fails alone. */
export function parseLine({ bytes }: InputLine, path: string): ParsedLine {
  if (bytes === undefined) {
    return wrong(null, null, `the line is longer than ${MAX_LINE_BYTES} bytes`, 'line_too_long');
  }
  // Another encoding would be read as other characters, and two ids as one.
  if (!isUtf8(bytes)) return wrong(null, null, 'the line is not UTF-8', 'invalid_json_line');
  const oversize = oversizeOf(bytes);
  if (oversize !== undefined)
    return { customId: null, wrong: { code: 'line_too_large', message: oversize, param: null } };
  const line = parseObject(bytes);
  if (line === undefined) return wrong(null, null, 'the line is not a JSON object', 'invalid_json_line');
  const { custom_id: id, method, url, body } = line;
  if (typeof id !== 'string' || id === '' || id.length > MAX_CUSTOM_ID) {
    return wrong(null, 'custom_id', `expected a text of 1 to ${MAX_CUSTOM_ID} characters`);
  }
  if (method !== 'POST') return wrong(id, 'method', "expected 'POST'");
  if (publishedBatchPath(url) !== path) {
    return wrong(id, 'url', `expected '${path}', the endpoint of the batch`, 'mismatched_url');
  }
  if (!isJsonObject(body)) return wrong(id, 'body', 'expected an object');
  if (body.stream === true) return wrong(id, 'body.stream', 'a batch has no streams: leave it out');
  if (body.background === true) return wrong(id, 'body.background', 'a batch is in the background already');
  return { customId: id, body: bodyOf(bytes) };
}

const wrong = (
  customId: string | null,
  param: string | null,
  problem: string,
  code = 'invalid_request',
): ParsedLine => ({
  customId,
  wrong: { code, message: param === null ? `${problem}.` : `'${param}': ${problem}.`, param },
});

/** What the endpoint would refuse, before its names and values keep this process busy. */
function oversizeOf(bytes: Buffer): string | undefined {
  try {
    rejectOversizedJson(bytes);
    return undefined;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return (error as Error).message;
  }
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Of a repeated member the last one counts, as for the parser. */
function bodyOf(line: Buffer): Buffer {
  const place = jsonBytes.locateMembers(line).findLast(({ name }) => name === 'body');
  if (place === undefined) throw new Error('a parsed line has lost its body');
  return line.subarray(place.start, place.end);
}
