import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { otlpTracing } from './otlp-tracing.js';

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

const exported: ExportedSpan[] = [];
const resources: unknown[] = [];
const authorizations: unknown[] = [];
const collector = createServer((request, response) => {
  json(request).then(
    (traces) => {
      const { resourceSpans } = traces as {
        resourceSpans: { resource: { attributes: unknown }; scopeSpans: { spans: ExportedSpan[] }[] }[];
      };
      resources.push(...resourceSpans.map(({ resource }) => resource.attributes));
      authorizations.push(request.headers.authorization);
      exported.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
    () => response.writeHead(400).end(),
  );
});
await new Promise<void>((resolve) => {
  collector.listen(0, '127.0.0.1', resolve);
});
afterAll(() => {
  collector.close();
});

/** The spans that the collector received for some work. */
async function spansOf(work: (tracing: ReturnType<typeof otlpTracing>) => Promise<unknown>, sampleRatio = 1) {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const tracing = otlpTracing({ service: 'tested', endpoint, sampleRatio });
  await work(tracing);
  await tracing.close();
  const spans = exported.splice(0);
  const named = (name: string): ExportedSpan => spans.find((span) => span.name === name) as ExportedSpan;
  return { spans, named };
}

const ELSEWHERE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const link = (flags: string) => `00-${ELSEWHERE.traceId}-${ELSEWHERE.spanId}-${flags}`;

describe('withSpan', () => {
  it('becomes the parent of spans inside it, and not of concurrent ones', async () => {
    const { named } = await spansOf((tracing) => {
      const work = (name: string) =>
        tracing.withSpan(name, { role: 'consumer' }, async () => {
          await nextIteration();
          await tracing.withSpan(`${name} calls`, { role: 'client' }, () => nextIteration());
        });
      return Promise.all([work('one'), work('other')]);
    });
    expect([named('one calls').parentSpanId, named('other calls').parentSpanId]).toEqual([
      named('one').spanId,
      named('other').spanId,
    ]);
    expect(named('one').traceId).not.toBe(named('other').traceId);
  });

  it('prefers the given parent to the active span', async () => {
    const { named } = await spansOf((tracing) =>
      tracing.withSpan('around', { role: 'consumer' }, () =>
        tracing.withSpan('inside', { role: 'client', parent: link('01') }, async () => undefined),
      ),
    );
    expect(named('inside')).toMatchObject({ traceId: ELSEWHERE.traceId, parentSpanId: ELSEWHERE.spanId });
  });

  it('records the error code without the message, and rethrows', async () => {
    const failure = Object.assign(new Error('the words of a customer'), { code: 'ECONNRESET' });
    const { spans, named } = await spansOf((tracing) =>
      expect(tracing.withSpan('failing', { role: 'client' }, () => Promise.reject(failure))).rejects.toBe(failure),
    );
    const { status, attributes } = named('failing');
    expect(status.code).toBe(2);
    expect(attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'ECONNRESET' } });
    expect(JSON.stringify(spans)).not.toContain('the words of a customer');
  });
});

describe('the exporter', () => {
  it('sends the service, the resource attributes and the headers from the environment', async () => {
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=blue';
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20for-the-collector';
    try {
      await spansOf((tracing) => tracing.withSpan('any', { role: 'internal' }, async () => undefined));
    } finally {
      delete process.env.OTEL_RESOURCE_ATTRIBUTES;
      delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
    }
    expect(resources.at(-1)).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'gateway-tested' } },
        { key: 'deployment.environment.name', value: { stringValue: 'blue' } },
      ]),
    );
    expect(authorizations.at(-1)).toBe('Bearer for-the-collector');
  });
});

describe('a span with a link', () => {
  const later = (header: string | null, sampleRatio: number) =>
    spansOf(
      (tracing) => tracing.withSpan('later', { role: 'consumer', link: header }, async () => undefined),
      sampleRatio,
    );

  it('starts a trace of its own', async () => {
    const { named } = await later(link('01'), 1);
    expect(named('later').links).toMatchObject([ELSEWHERE]);
    expect(named('later').traceId).not.toBe(ELSEWHERE.traceId);
    expect(named('later').parentSpanId ?? '').toBe('');
  });

  it.each([
    ['is exported if the linked span was sampled, at any ratio', link('01'), 0, 1],
    ['is not exported if the linked span was not sampled', link('00'), 1, 0],
    ['is exported by the ratio if the linked span was not traced', null, 1, 1],
    ['is dropped by the ratio if the linked span was not traced', null, 0, 0],
    ['is exported by the ratio if the link is malformed', 'garbage', 1, 1],
  ])('%s', async (_title, header, sampleRatio, count) => {
    const { spans } = await later(header, sampleRatio);
    expect(spans).toHaveLength(count);
  });

  it('has no link to a span of its own trace', async () => {
    const { named } = await spansOf((tracing) =>
      tracing.withSpan('step', { role: 'internal', parent: link('01'), link: link('01') }, async () => undefined),
    );
    expect(named('step').links ?? []).toEqual([]);
  });
});
