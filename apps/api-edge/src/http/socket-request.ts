import type { IncomingMessage } from 'node:http';
import { ENDPOINTS } from '@gateway/contracts';
import { meantUrl } from './meant-path.js';

/**
 * True of the handshake of a WebSocket. Every other upgrade is ignored, as HTTP allows: some client libraries offer HTTP/2
 * with each request.
 */
export const isSocketRequest = ({
  method,
  url,
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean =>
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  meantUrl(url ?? '').split('?', 1)[0] === ENDPOINTS.responses.path;
