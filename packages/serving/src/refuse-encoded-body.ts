import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError, truncateForError } from '@gateway/contracts';

/** Throws 415 for a compressed body: the gateway does not decompress, and would report it as malformed JSON. */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new GatewayError(
    'unsupported_media_type',
    `Unsupported content encoding '${truncateForError(encoding)}': send the body as it is, without 'Content-Encoding'.`,
  );
}
