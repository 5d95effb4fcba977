import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { otlpTracing } from './otlp-tracing.js';

interface Told {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

const told: Told[] = [];
const resources: unknown[] = [];
const shown: unknown[] = [];
const collector = createServer((request, response) => {
  json(request).then(
    (traces) => {
      const { resourceSpans } = traces as {
        resourceSpans: { resource: { attributes: unknown }; scopeSpans: { spans: Told[] }[] }[];
      };
      resources.push(...resourceSpans.map(({ resource }) => resource.attributes));
      shown.push(request.headers.authorization);
      told.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
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

/** The spans of some work, as the collector has them when all of it is over. */
async function spansOf(work: (tracing: ReturnType<typeof otlpTracing>) => Promise<unknown>, sampleRatio = 1) {
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const tracing = otlpTracing({ service: 'tested', endpoint, sampleRatio });
  await work(tracing);
  await tracing.close();
  const spans = told.splice(0);
  const named = (name: string): Told => spans.find((span) => span.name === name) as Told;
  return { spans, named };
}

const ELSEWHERE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const link = (flags: string) => `00-${ELSEWHERE.traceId}-${ELSEWHERE.spanId}-${flags}`;

describe('a span around work', () => {
  it('has whatever begins in it, and nothing of what runs beside it', async () => {
    const { named } = await spansOf((tracing) => {
      const work = (name: string) =>
        tracing.withSpan(name, { role: 'consumer' }, async () => {
          await nextTurn();
          await tracing.withSpan(`${name} asks`, { role: 'client' }, () => nextTurn());
        });
      return Promise.all([work('one'), work('other')]);
    });
    expect([named('one asks').parentSpanId, named('other asks').parentSpanId]).toEqual([
      named('one').spanId,
      named('other').spanId,
    ]);
    expect(named('one').traceId).not.toBe(named('other').traceId);
  });

  it('belongs to the one that it names, wherever it begins', async () => {
    const { named } = await spansOf((tracing) =>
      tracing.withSpan('around', { role: 'consumer' }, () =>
        tracing.withSpan('inside', { role: 'client', parent: link('01') }, async () => undefined),
      ),
    );
    expect(named('inside')).toMatchObject({ traceId: ELSEWHERE.traceId, parentSpanId: ELSEWHERE.spanId });
  });

  it('says by which code it failed, in none of the words, and lets the error through', async () => {
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

describe('what all spans of a process say', () => {
  it('is whose they are and what the operator adds, shown to the collector with what it asks for', async () => {
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
    expect(shown.at(-1)).toBe('Bearer for-the-collector');
  });
});

describe('a span that goes back to another', () => {
  const later = (header: string | null, sampleRatio: number) =>
    spansOf(
      (tracing) => tracing.withSpan('later', { role: 'consumer', link: header }, async () => undefined),
      sampleRatio,
    );

  it('has a trace of its own', async () => {
    const { named } = await later(link('01'), 1);
    expect(named('later').links).toMatchObject([ELSEWHERE]);
    expect(named('later').traceId).not.toBe(ELSEWHERE.traceId);
    expect(named('later').parentSpanId ?? '').toBe('');
  });

  it.each([
    ['told if the other was, whatever the share', link('01'), 0, 1],
    ['not told if the other was not', link('00'), 1, 0],
    ['told by the share if the other was not traced', null, 1, 1],
    ['not told by the share either', null, 0, 0],
    ['told by the share if it goes back to nothing that can be read', 'garbage', 1, 1],
  ])('is %s', async (_words, header, sampleRatio, count) => {
    const { spans } = await later(header, sampleRatio);
    expect(spans).toHaveLength(count);
  });

  it('does not repeat that it is of the same trace', async () => {
    const { named } = await spansOf((tracing) =>
      tracing.withSpan('step', { role: 'internal', parent: link('01'), link: link('01') }, async () => undefined),
    );
    expect(named('step').links ?? []).toEqual([]);
  });
});
