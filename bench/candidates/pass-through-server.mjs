import { createServer } from 'node:http';
import { Pool } from 'undici';

/** The minimal gateway in one process: forwards the bytes of requests and responses. */
const { PORT, UPSTREAM_ORIGIN, UPSTREAM_PATH } = process.env;
const pool = new Pool(UPSTREAM_ORIGIN, { connections: 1_024, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

const forwarded = ({ 'content-type': contentType, 'content-length': contentLength, authorization }) => ({
  'content-type': contentType,
  'content-length': contentLength,
  authorization,
});

const server = createServer((request, response) => {
  if (request.url === '/readyz') {
    response.end();
    return;
  }
  let upstream;
  response.on('close', () => upstream?.abort(new Error('the client disconnected')));
  response.on('drain', () => upstream?.resume());
  pool.dispatch(
    { path: UPSTREAM_PATH, method: request.method, headers: forwarded(request.headers), body: request },
    {
      onRequestStart(controller) {
        upstream = controller;
      },
      onResponseStart(_controller, status, headers) {
        const { 'content-type': contentType, 'content-length': contentLength } = headers;
        response.writeHead(status, {
          'content-type': contentType,
          ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
        });
      },
      onResponseData(controller, chunk) {
        if (!response.write(chunk)) controller.pause();
      },
      onResponseEnd() {
        upstream = undefined;
        response.end();
      },
      onResponseError(_controller, error) {
        upstream = undefined;
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end(error.message);
      },
    },
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
