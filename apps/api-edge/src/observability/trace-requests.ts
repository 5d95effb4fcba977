import type { Tracing } from '@gateway/observability';
import type { FastifyInstance } from 'fastify';
import { requestedModelOf, setSpan, spanOf } from '../http/request-context.js';
import { needsKey } from '../http/server.js';

/** Opens one span for each request of the public API, from its first byte to the last byte of its response. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url } = request.routeOptions;
    if (needsKey(url)) {
      const { traceparent } = request.headers;
      const parent = typeof traceparent === 'string' ? traceparent : undefined;
      const span = tracing.startSpan(`${request.method} ${url}`, { role: 'server', parent });
      if (span !== undefined) setSpan(request, span);
    }
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const status = reply.raw.statusCode;
    spanOf(request)?.end({
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'http.response.status_code': status,
        'gateway.request_id': request.id,
        'gen_ai.request.model': requestedModelOf(request),
      },
      ...(status >= 500 && { errorType: String(status) }),
    });
    done();
  });
}
