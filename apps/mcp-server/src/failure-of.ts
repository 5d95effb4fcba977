import { ToolFailure } from './tool-failure.js';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');

/** A refusal in whichever dialect its endpoint spells errors; an upstream's own, passed on as it came, has one of these shapes too. */
export function failureOf(body: unknown, details: ToolFailure['details']): ToolFailure {
  const outer = fieldsOf(body);
  const inner = fieldsOf(outer.error);
  const code = textOf(inner.code, outer.code, inner.type, outer.error_code) ?? 'upstream_error';
  const message = textOf(inner.message, outer.message, outer.detail, outer.error);
  const requestId = details.requestId ?? textOf(outer.request_id);
  return new ToolFailure(code, message ?? `The gateway refused the request (${details.status ?? 'no status'}).`, {
    ...details,
    requestId,
  });
}

/** The body of an answer that is not 2xx, as the failure that it tells. */
export function readFailure(status: number, headers: Fields, bytes: Buffer): ToolFailure {
  const retryAfter = Number(headers['retry-after']);
  const details = {
    status,
    requestId: textOf(headers['x-request-id']),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
  try {
    return failureOf(JSON.parse(bytes.toString('utf8')), details);
  } catch {
    return failureOf(undefined, details);
  }
}
