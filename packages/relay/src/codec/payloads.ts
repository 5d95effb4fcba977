import {
  CANCEL_REASONS,
  type CancelPayload,
  type CancelReason,
  type Changes,
  type ClaimPayload,
  ERRORS,
  type ErrorCode,
  type ErrorRecord,
  type FailPayload,
  type GrantHead,
  isJsonObject,
  type JsonObject,
  type LeavePayload,
  type MeterReading,
  type ResponseEnd,
  type ResponseHead,
} from '@gateway/contracts';
import { RelayProtocolError } from './relay-protocol-error.js';

function parseFields(payload: Buffer, frame: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    throw new RelayProtocolError(`payload of ${frame} is not JSON`);
  }
  if (!isJsonObject(value)) throw new RelayProtocolError(`payload of ${frame} is not an object`);
  return value;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isMapOf<Value>(value: unknown, isValue: (entry: unknown) => entry is Value): value is Record<string, Value> {
  return isJsonObject(value) && Object.values(value).every(isValue);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function reject(frame: string): never {
  throw new RelayProtocolError(`payload of ${frame} lacks a field or has one of the wrong type`);
}

export function parseClaim(payload: Buffer): ClaimPayload {
  const { claimToken, workerId } = parseFields(payload, 'claim');
  return isText(claimToken) && isText(workerId) ? { claimToken, workerId } : reject('claim');
}

export function parseGrantHead(payload: Buffer): GrantHead {
  const { bodyBytes } = parseFields(payload, 'grant');
  return isCount(bodyBytes) ? { bodyBytes } : reject('grant');
}

export function parseResponseHead(payload: Buffer): ResponseHead {
  const { status, headers, changes } = parseFields(payload, 'head');
  if (!isCount(status) || status < 200 || status > 599 || !isMapOf(headers, isText)) return reject('head');
  return changes === undefined ? { status, headers } : { status, headers, changes: readChanges(changes, 'head') };
}

function readChanges(value: unknown, frame: string): Changes {
  if (!isJsonObject(value)) return reject(frame);
  const { filled, dropped } = value;
  if (!isMapOf(filled, isText) || !Array.isArray(dropped) || !dropped.every(isText)) return reject(frame);
  return { filled, dropped };
}

export const parseResponseEnd = (payload: Buffer): ResponseEnd => readResponseEnd(parseFields(payload, 'end'), 'end');

function readResponseEnd({ costNanoUsd, balanceNanoUsd }: JsonObject, frame: string): ResponseEnd {
  if (!isText(costNanoUsd) || !/^\d+$/.test(costNanoUsd)) return reject(frame);
  if (balanceNanoUsd === undefined) return { costNanoUsd };
  return isText(balanceNanoUsd) && /^-?\d+$/.test(balanceNanoUsd) ? { costNanoUsd, balanceNanoUsd } : reject(frame);
}

export function parseMeterReading(payload: Buffer): MeterReading {
  const { units, inputTokensTotal, isEstimated, isPromptCounted } = parseFields(payload, 'meter');
  if (!isMapOf(units, isCount) || !isCount(inputTokensTotal) || typeof isEstimated !== 'boolean')
    return reject('meter');
  return { units, inputTokensTotal, isEstimated, ...(isPromptCounted === true && { isPromptCounted }) };
}

export function parseCancel(payload: Buffer): CancelPayload {
  const { reason } = parseFields(payload, 'cancel');
  return CANCEL_REASONS.includes(reason as CancelReason) ? { reason: reason as CancelReason } : reject('cancel');
}

export function parseLeave(payload: Buffer): LeavePayload {
  const { wantsResponse } = parseFields(payload, 'leave');
  return typeof wantsResponse === 'boolean' ? { wantsResponse } : reject('leave');
}

function parsePassThrough(value: unknown): NonNullable<ErrorRecord['passThrough']> {
  if (!isJsonObject(value)) return reject('fail');
  const { status, contentType, body } = value;
  return isCount(status) && isText(contentType) && isText(body) ? { status, contentType, body } : reject('fail');
}

/** An unknown code, from a newer worker, becomes `internal_error`: the response failed either way. */
export function parseFail(payload: Buffer): FailPayload {
  const { code, message, param, retryAfterMs, mayHaveBegun, passThrough, changes, settled } = parseFields(
    payload,
    'fail',
  );
  if (!isText(code) || !isText(message)) return reject('fail');
  if (param !== undefined && !isText(param)) return reject('fail');
  if (retryAfterMs !== undefined && !isCount(retryAfterMs)) return reject('fail');
  if (settled !== undefined && !isJsonObject(settled)) return reject('fail');
  return {
    code: Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(mayHaveBegun === true ? { mayHaveBegun } : {}),
    ...(passThrough === undefined ? {} : { passThrough: parsePassThrough(passThrough) }),
    ...(changes === undefined ? {} : { changes: readChanges(changes, 'fail') }),
    ...(settled === undefined ? {} : { settled: readResponseEnd(settled, 'fail') }),
  };
}
