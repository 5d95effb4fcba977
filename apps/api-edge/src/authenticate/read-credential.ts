import type { IncomingHttpHeaders } from 'node:http';
import { parseBearerToken } from '@gateway/serving';

/** Headers in which the client libraries of other vendors and gateways send their key. */
export const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key', 'x-portkey-api-key'] as const;

/** The API key from `Authorization: Bearer`, or from one of `KEY_HEADERS`. Undefined if absent. */
export function readCredential(headers: IncomingHttpHeaders): string | undefined {
  const bearer = parseBearerToken(headers.authorization);
  if (bearer !== undefined) return bearer;
  return KEY_HEADERS.map((name) => headers[name])
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}
