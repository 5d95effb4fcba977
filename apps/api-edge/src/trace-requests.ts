import type { Tracing } from '@gateway/observability';
import type { FastifyInstance } from 'fastify';
import { askedModelOf, setSpan, spanOf } from './request-context.js';

/** One span for each request of the public interface, from its first byte here to its last one. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url } = request.routeOptions;
    if (url?.startsWith('/v1/') === true) {
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
        'gen_ai.request.model': askedModelOf(request),
      },
      ...(status >= 500 && { errorType: String(status) }),
    });
    done();
  });
}
