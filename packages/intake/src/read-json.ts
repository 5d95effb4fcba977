import { type ErrorRecord, isGatewayError } from '@gateway/contracts';
import { JSON_ENDPOINTS, type JsonEndpoint, type JsonEndpointRow } from './json-endpoints.js';
import { parseJsonBody } from './parse-json-body.js';
import { rejectOversizedJson } from './reject-oversized-json.js';
import { type ModelScope, resolveModel } from './resolve-model.js';
import type { ValidJsonRequest } from './valid-json-request.js';

/** Parsing such a body takes milliseconds, whatever is in it. */
const LONG_BYTES = 1024 * 1024;
/** A shorter body cannot have many names. */
const SCANNED_BYTES = 16 * 1024;
/** Validation takes up to four microseconds for each name, and half of one for each value. */
const MANY_NAMES = 2_000;
const MANY_VALUES = 10_000;

/** True if reading the body may delay other requests. Throws for a body that is refused in any case. */
export function isLongJson(body: unknown): body is Buffer {
  if (!Buffer.isBuffer(body) || body.length <= SCANNED_BYTES) return false;
  if (body.length > LONG_BYTES) return true;
  const { names, values } = rejectOversizedJson(body);
  return names > MANY_NAMES || values > MANY_VALUES;
}

/** Plain data, as all of this file: it crosses threads. */
export interface UnreadJson {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly endpoint: JsonEndpoint;
  readonly scope: ModelScope;
  /** The model of the path, where the path names it. */
  readonly pathModel?: string;
}

/** The body to send on, and whether it is valid. A refusal has the error of the model's family. */
export type ReadJson = {
  readonly modelName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isEndpointForm: boolean;
} & ({ readonly valid: ValidJsonRequest } | { readonly refused: ErrorRecord });

/** Parses and validates a body. Throws for a body without a model that the key may use. */
export function readJson({ body, endpoint, scope, pathModel }: UnreadJson): ReadJson {
  const { fields, bytes } = parseJsonBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const row: JsonEndpointRow = JSON_ENDPOINTS[endpoint];
  const name = pathModel ?? fields.model;
  const model = resolveModel(name, endpoint, scope);
  const isEndpointForm = row.isEndpointForm?.(fields, model) ?? false;
  const read = { modelName: String(name), bytes: ownBytes(bytes), isEndpointForm };
  try {
    const { rewritten, ...valid } = row.validate(fields, model);
    if (rewritten === undefined) return { ...read, valid };
    return { ...read, bytes: ownBytes(Buffer.from(JSON.stringify(rewritten))), valid };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { ...read, refused: error.toRecord() };
  }
}

/** Memory that may move to another thread. */
export const ownBytes = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength - bytes.byteLength < SCANNED_BYTES
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
