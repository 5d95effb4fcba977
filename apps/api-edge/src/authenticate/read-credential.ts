import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +(\S+) *$/i;

/** The key of a request: `Authorization: Bearer`, or `x-api-key` as some client libraries send it. Undefined: none. */
export function readCredential(headers: IncomingHttpHeaders): string | undefined {
  const bearer = headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];
  const apiKey = headers['x-api-key'];
  return bearer ?? (typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined);
}
