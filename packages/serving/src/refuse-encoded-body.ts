import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError, truncateForError } from '@gateway/contracts';

/** Throws 415 for a compressed body: it is not decompressed here, and would be reported as malformed JSON. */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new GatewayError(
    'unsupported_media_type',
    `Unsupported content encoding '${truncateForError(encoding)}': send the body as it is, without 'Content-Encoding'.`,
  );
}
