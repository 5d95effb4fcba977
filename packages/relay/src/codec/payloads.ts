import {
  CANCEL_REASONS,
  type CancelPayload,
  type CancelReason,
  type ClaimPayload,
  ERRORS,
  type ErrorCode,
  type ErrorRecord,
  type FailPayload,
  type GrantHead,
  type MeterReading,
  type ResponseEnd,
  type ResponseHead,
} from '@gateway/contracts';
import { RelayProtocolError } from './relay-protocol-error.js';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(payload: Buffer, what: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    throw new RelayProtocolError(`${what} is not JSON`);
  }
  if (!isFields(value)) throw new RelayProtocolError(`${what} is not an object`);
  return value;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function mapOf<Value>(value: unknown, isValue: (entry: unknown) => entry is Value): value is Record<string, Value> {
  return isFields(value) && Object.values(value).every(isValue);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function refuse(what: string): never {
  throw new RelayProtocolError(`${what} lacks a field or has one of the wrong type`);
}

export function parseClaim(payload: Buffer): ClaimPayload {
  const { claimToken, workerId } = fieldsOf(payload, 'claim');
  return isText(claimToken) && isText(workerId) ? { claimToken, workerId } : refuse('claim');
}

export function parseGrantHead(payload: Buffer): GrantHead {
  const { bodyBytes } = fieldsOf(payload, 'grant');
  return isCount(bodyBytes) ? { bodyBytes } : refuse('grant');
}

export function parseAnswerHead(payload: Buffer): ResponseHead {
  const { status, headers } = fieldsOf(payload, 'head');
  if (!isCount(status) || status < 200 || status > 599 || !mapOf(headers, isText)) return refuse('head');
  return { status, headers };
}

export const parseAnswerEnd = (payload: Buffer): ResponseEnd => readAnswerEnd(fieldsOf(payload, 'end'), 'end');

function readAnswerEnd({ costNanoUsd, balanceNanoUsd }: Fields, frame: string): ResponseEnd {
  if (!isText(costNanoUsd) || !/^\d+$/.test(costNanoUsd)) return refuse(frame);
  if (balanceNanoUsd === undefined) return { costNanoUsd };
  return isText(balanceNanoUsd) && /^-?\d+$/.test(balanceNanoUsd) ? { costNanoUsd, balanceNanoUsd } : refuse(frame);
}

export function parseMeterReading(payload: Buffer): MeterReading {
  const { units, inputTokensTotal, isEstimated } = fieldsOf(payload, 'meter');
  if (!mapOf(units, isCount) || !isCount(inputTokensTotal) || typeof isEstimated !== 'boolean') return refuse('meter');
  return { units, inputTokensTotal, isEstimated };
}

export function parseCancel(payload: Buffer): CancelPayload {
  const { reason } = fieldsOf(payload, 'cancel');
  return CANCEL_REASONS.includes(reason as CancelReason) ? { reason: reason as CancelReason } : refuse('cancel');
}

function parsePassThrough(value: unknown): NonNullable<ErrorRecord['passThrough']> {
  if (!isFields(value)) return refuse('fail');
  const { status, contentType, body } = value;
  return isCount(status) && isText(contentType) && isText(body) ? { status, contentType, body } : refuse('fail');
}

/** A code that only a newer worker knows becomes `internal_error`: the answer has failed all the same. */
export function parseFail(payload: Buffer): FailPayload {
  const { code, message, param, retryAfterMs, mayHaveBegun, passThrough, settled } = fieldsOf(payload, 'fail');
  if (!isText(code) || !isText(message)) return refuse('fail');
  if (param !== undefined && !isText(param)) return refuse('fail');
  if (retryAfterMs !== undefined && !isCount(retryAfterMs)) return refuse('fail');
  if (settled !== undefined && !isFields(settled)) return refuse('fail');
  return {
    code: Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(mayHaveBegun === true ? { mayHaveBegun } : {}),
    ...(passThrough === undefined ? {} : { passThrough: parsePassThrough(passThrough) }),
    ...(settled === undefined ? {} : { settled: readAnswerEnd(settled, 'fail') }),
  };
}
