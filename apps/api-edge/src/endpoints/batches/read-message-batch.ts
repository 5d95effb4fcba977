import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { fieldName, GatewayError, JsonCursor, jsonBytes, maxCostUsd, messageBatchRequest } from '@gateway/contracts';
import { checked, rejectOversizedJson } from '@gateway/intake';

/** The requests as lines of an input, and what else the body says. */
export interface MessageBatch {
  readonly lines: Buffer;
  readonly total: number;
  readonly maxCostUsd: string | number | undefined;
}

const MAX_REQUESTS = 50_000;
/** After so many bytes, other requests of this process get a turn. */
const TURN_BYTES = 256 * 1024;
/** A shorter request cannot have too many names or values. */
const SCANNED_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The state of one reading. */
class Reading {
  readonly lines: Buffer[] = [];
  readonly #ids = new Map<string, number>();

  constructor(private readonly body: Buffer) {}

  /** One element of `requests`, at these bytes. Throws a 400 that names its field. */
  add(start: number, end: number): void {
    const index = this.#ids.size;
    if (index === MAX_REQUESTS) throw invalid('requests', `expected at most ${MAX_REQUESTS} requests`);
    const bytes = this.body.subarray(start, end);
    if (bytes.length > SCANNED_BYTES) rejectOversizedJson(bytes);
    const { custom_id: id } = checked(messageBatchRequest, parsed(bytes, ['requests', index]), ['requests', index]);
    const first = this.#ids.get(id);
    if (first !== undefined)
      throw invalid(fieldName(['requests', index, 'custom_id']), `is that of requests[${first}] too`);
    this.#ids.set(id, index);
    this.lines.push(
      Buffer.from(`{"custom_id":"${id}","method":"POST","url":"/v1/messages","body":`),
      paramsOf(bytes),
      END,
    );
  }

  get total(): number {
    return this.#ids.size;
  }
}

const END = Buffer.from('}\n');

/** Checks each request by itself and takes its bytes as they came, so that no long parse blocks the process. */
export async function readMessageBatch(body: unknown): Promise<MessageBatch> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw malformed();
  const reading = new Reading(body);
  const cursor = new JsonCursor(malformed);
  let budget: unknown;
  cursor.open(body);
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    if (cursor.keyIs('requests')) await readRequests(cursor, reading);
    else if (cursor.keyIs('max_cost_usd')) budget = parsed(sliceOf(cursor, body), ['max_cost_usd']);
    else throw new GatewayError('unknown_parameter', "Unexpected field: expected 'requests' and 'max_cost_usd'.");
  }
  cursor.expectEnd();
  if (reading.total === 0) throw invalid('requests', 'expected at least one request');
  const ceiling = checked(maxCostUsd, budget, ['max_cost_usd']);
  return { lines: Buffer.concat(reading.lines), total: reading.total, maxCostUsd: ceiling };
}

async function readRequests(cursor: JsonCursor, reading: Reading): Promise<void> {
  cursor.enterArray();
  let turnEndsAt = cursor.position + TURN_BYTES;
  for (let isFirst = true; cursor.nextElement(isFirst); isFirst = false) {
    cursor.peek();
    const start = cursor.position;
    cursor.skipValue();
    reading.add(start, cursor.position);
    if (cursor.position < turnEndsAt) continue;
    turnEndsAt = cursor.position + TURN_BYTES;
    await yieldToOthers();
  }
}

function sliceOf(cursor: JsonCursor, body: Buffer): Buffer {
  cursor.peek();
  const start = cursor.position;
  cursor.skipValue();
  return body.subarray(start, cursor.position);
}

/** Of a repeated member the last one counts, as for the parser. JSON has line breaks only between its values. */
function paramsOf(request: Buffer): Buffer {
  const place = jsonBytes.locateMembers(request).findLast(({ name }) => name === 'params');
  if (place === undefined) throw new Error('a parsed request has lost its params');
  const params = request.subarray(place.start, place.end);
  if (!params.includes(NEWLINE) && !params.includes(RETURN)) return params;
  return Buffer.from(params.map((byte) => (byte === NEWLINE || byte === RETURN ? 0x20 : byte)));
}

/** The cursor skips a value and does not check it. Throws a 400 that names it. */
function parsed(json: Buffer, path: readonly PropertyKey[]): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    const param = fieldName(path);
    throw new GatewayError('invalid_json', `'${param}': expected JSON.`, { param });
  }
}

const invalid = (param: string, problem: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${problem}.`, { param });

const malformed = (): GatewayError =>
  new GatewayError('invalid_json', "The body of the request must be a JSON object with 'requests'.");
