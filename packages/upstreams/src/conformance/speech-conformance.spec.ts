import { readdirSync, readFileSync } from 'node:fs';
import { isGatewayError, SPEECH_PROTOCOL_IDS, type Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SpeechCall, SpeechPart, StreamReader } from '../protocol.js';
import { SPEECH_PROTOCOLS } from '../registry.js';
import { damagedBytes } from './damaged-bytes.js';
import { failureFixtures, requestFixtures } from './fixtures.js';
import { speechCall } from './speech-calls.js';
import { gatewayErrorOf } from './thrown-error.js';

type Client = SpeechPart & { readonly model: string };

interface SpeechFixture {
  readonly name: string;
  readonly client: Client;
  readonly usage: Usage;
  /** Base64. */
  readonly samples: string;
}

const callOf = ({ model, ...request }: Client): SpeechCall => speechCall(model, request);

const ANY_CALL = callOf({ model: 'qn3-tts-flash', text: 'Hi.', voice: 'Cherry' });

function readPieces(reader: StreamReader, chunks: readonly Buffer[]): string {
  const read = chunks.map((chunk) => Buffer.from(reader.read(chunk)));
  return Buffer.concat([...read, reader.end()]).toString('base64');
}

describe.each(SPEECH_PROTOCOL_IDS)('%s', (id) => {
  const protocol = SPEECH_PROTOCOLS[id];
  const folder = new URL(`../${id}/__fixtures__/`, import.meta.url);
  const streams = JSON.parse(readFileSync(new URL('streams.json', folder), 'utf8')) as readonly SpeechFixture[];
  const bytesOf = (name: string): Buffer => readFileSync(new URL(`${name}.upstream.sse`, folder));
  const broken = readdirSync(folder).filter((file) => file.endsWith('.broken.sse'));

  it.each(requestFixtures(id))('writes the request: $name', ({ client, upstream }) => {
    const target = {
      baseUrl: 'https://upstream.example',
      credential: 'secret-credential',
      upstreamModel: client.model.replace('qn3', 'qwen3'),
    };
    const request = protocol.buildRequest(callOf(client as Client), target);
    expect(request.url).toBe(`https://upstream.example${upstream.url}`);
    expect(JSON.parse(String(request.body))).toEqual(upstream.body);
    expect(request.headers).toMatchObject({ 'x-dashscope-sse': 'enable', accept: 'text/event-stream' });
    expect(String(request.body)).not.toContain('secret-credential');
  });

  it.each(streams)('reads the stream cut at every byte: $name', ({ name, client, usage, samples }) => {
    const bytes = bytesOf(name);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = protocol.openReader(callOf(client));
      expect(readPieces(reader, [bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(samples);
      expect(reader.usage()).toEqual(usage);
      expect(reader.isFinal).toBe(true);
      expect(reader.upstreamId).toBe('7e7e7e7e-1212-9aaa-bbbb-000000000003');
    }
  });

  it.each(streams)('never ends a cut stream cleanly: $name', ({ name, client, usage }) => {
    const events = bytesOf(name).toString('utf8').split('\n\n').slice(0, -2);
    for (let count = 0; count <= events.length; count += 1) {
      const reader = protocol.openReader(callOf(client));
      const sent = events.slice(0, count).map((event) => Buffer.from(`${event}\n\n`));
      expect(gatewayErrorOf(() => readPieces(reader, sent))?.code).toBe('upstream_error');
      expect(reader.isFinal).toBe(false);
      // The first audio bills the whole text.
      const hasSpoken = sent.some((event) => event.includes('"data":"AAAB'));
      expect(reader.usage()).toEqual(hasSpoken ? usage : { units: {}, inputTokensTotal: 0, isEstimated: false });
    }
  });

  it('throws the error of the stream', () => {
    const codes = broken.map((file) => {
      const reader = protocol.openReader(ANY_CALL);
      return gatewayErrorOf(() => reader.read(readFileSync(new URL(file, folder))));
    });
    expect(codes.map((error) => [error?.code, error?.details.passThrough?.status])).toEqual([
      ['upstream_unavailable', undefined],
      ['invalid_request', 400],
    ]);
    expect(JSON.parse(codes[1]?.details.passThrough?.body ?? '')).toMatchObject({ code: 'DataInspectionFailed' });
  });

  it.each(failureFixtures(id))('classifies the failure: $name', (fixture) => {
    const body = Buffer.from(JSON.stringify(fixture.body));
    const failure = protocol.readFailure({ status: fixture.status, headers: fixture.headers, body });
    expect(failure.kind).toBe(fixture.kind);
    expect(failure.error.code).toBe(fixture.code);
    expect(failure.retryAfterMs).toBe(fixture.retryAfterMs);
    const passed = failure.error.details.passThrough;
    expect(passed === undefined ? undefined : JSON.parse(passed.body)).toEqual(fixture.passes);
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = streams.map(({ name }) => bytesOf(name));
    const damaged = damagedBytes(known);
    const events = fc.json().map((json) => Buffer.from(`event:result\ndata:${json}\n\n`));
    fc.assert(
      fc.property(fc.oneof(damaged, events), (bytes) => {
        const reader = protocol.openReader(ANY_CALL);
        gatewayErrorOf(() => readPieces(reader, [bytes]));
        for (const count of Object.values(reader.usage().units)) expect(Number.isSafeInteger(count)).toBe(true);
        expect(isGatewayError(protocol.readFailure({ status: 400, headers: {}, body: bytes }).error)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
