import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { wholeAnswer } from '../http/open-answer.js';
import { startTestStack } from '../stack/start-test-stack.js';
import { eventually } from '../wait/eventually.js';

jest.setTimeout(60_000);

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: Pick<OtlpSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface Told extends OtlpSpan {
  readonly service: unknown;
}

/** A collector as OpenTelemetry describes it, which keeps what it is sent. */
const spans: Told[] = [];
let received = '';
const collector = createServer((request, response) => {
  json(request).then(
    (body) => {
      received += JSON.stringify(body);
      for (const { resource, scopeSpans } of (body as OtlpTraces).resourceSpans) {
        const { 'service.name': service } = attributesOf(resource);
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
    () => response.writeHead(400).end(),
  );
});
await new Promise<void>((resolve) => {
  collector.listen(0, '127.0.0.1', resolve);
});
const address = collector.address();
const port = typeof address === 'object' ? address?.port : undefined;

const stack = await startTestStack({ commonEnv: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
afterAll(async () => {
  await stack.stop();
  collector.close();
});

const customer = await stack.createCustomer({ creditUsd: '10' });

const attributesOf = ({ attributes }: Pick<OtlpSpan, 'attributes'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const SECRET = 'a word that nobody else has any business to read';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerSpanId = 'b7ad6b7169203331';

const ask = (content: string, headers: Record<string, string> = {}, more: object = {}) =>
  wholeAnswer(stack.baseUrl, {
    key: customer.apiKey,
    headers,
    body: { model: 'gm-2.5-flash', messages: [{ role: 'user', content }], ...more },
  });

/** The spans of a request, by the id that its client was given. */
const spansOf = (requestId: string): Promise<readonly Told[]> =>
  eventually(
    () => {
      const ours = spans.find((span) => attributesOf(span)['gateway.request_id'] === requestId);
      const trace = spans.filter((span) => span.traceId === ours?.traceId);
      expect(trace.length).toBeGreaterThanOrEqual(3);
      return trace;
    },
    { withinMs: 20_000 },
  );

const byService = (trace: readonly Told[], service: string): Told =>
  trace.find((span) => span.service === service) as Told;

describe('traces', () => {
  it("follow a request from the caller's span over the edge and the worker to the upstream", async () => {
    const answer = await ask(SECRET, { traceparent: `00-${traceId}-${callerSpanId}-01` });
    expect(answer.status).toBe(200);
    const requestId = String(answer.headers['x-request-id']);
    const trace = await spansOf(requestId);

    const edge = byService(trace, 'gateway-api-edge');
    const worker = trace.find(({ name }) => name === 'run chat') as Told;
    const upstream = trace.find(({ name }) => name === 'chat gm-2.5-flash') as Told;
    expect([edge.traceId, edge.parentSpanId]).toEqual([traceId, callerSpanId]);
    expect([worker.parentSpanId, upstream.parentSpanId]).toEqual([edge.spanId, worker.spanId]);
    expect(attributesOf(edge)).toMatchObject({
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'gen_ai.request.model': 'gm-2.5-flash',
    });
    expect(attributesOf(worker)).toMatchObject({
      'gateway.request_id': requestId,
      'gateway.outcome': 'completed',
      'gen_ai.operation.name': 'chat',
    });
    expect(Number(attributesOf(worker)['gen_ai.usage.output_tokens'])).toBeGreaterThan(0);
    expect(BigInt(upstream.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
  });

  it('begin here where the caller does not trace, and tell what failed', async () => {
    const answer = await ask('{{sim status=400}} no');
    const trace = await spansOf(String(answer.headers['x-request-id']));
    expect(byService(trace, 'gateway-api-edge').parentSpanId ?? '').toBe('');
    const upstream = trace.find(({ name }) => name === 'chat gm-2.5-flash') as Told;
    expect([upstream.status?.code, attributesOf(upstream)['http.response.status_code']]).toEqual([2, 400]);
  });

  it('of a stream end with its last byte', async () => {
    const answer = await ask('{{sim chunks=3 chunk_ms=20}} go', {}, { stream: true });
    const trace = await spansOf(String(answer.headers['x-request-id']));
    const [edge, worker] = [
      byService(trace, 'gateway-api-edge'),
      trace.find(({ name }) => name === 'run chat') as Told,
    ];
    expect(BigInt(edge.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(worker.startTimeUnixNano));
    expect(Number(attributesOf(worker)['gateway.first_byte_ms'])).toBeGreaterThanOrEqual(0);
  });

  it('hold nothing that anybody wrote, no key, and no address of a vendor', () => {
    expect(received).not.toContain(SECRET);
    expect(received).not.toMatch(/sk-|Bearer|credential/);
  });
});
