import { Pool } from 'undici';

const TIMEOUT_MS = 60_000;

/**
 * Keep-alive connections to one candidate, one request at a time on each. `send` uses undici's fastest method, so that
 * the load generator uses little processor time. `onChunk` receives body bytes as they arrive.
 */
export function openConnections({ origin, path, headers }, count) {
  const pool = new Pool(origin, {
    connections: count,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const send = (body, onChunk) =>
    new Promise((resolve, reject) => {
      let status = 0;
      pool.dispatch(
        { path, method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart(_controller, statusCode) {
            status = statusCode;
          },
          onResponseData(_controller, chunk) {
            onChunk(chunk);
          },
          onResponseEnd() {
            resolve(status);
          },
          onResponseError(_controller, error) {
            reject(error);
          },
        },
      );
    });
  return { send, close: () => pool.destroy() };
}
