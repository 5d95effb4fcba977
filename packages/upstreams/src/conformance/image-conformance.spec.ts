import { type ImageProtocolId, isGatewayError, NO_USAGE } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ImageCall, ImageProtocol, StreamReader } from '../protocol.js';
import { IMAGE_PROTOCOLS } from '../registry.js';
import { damagedBytes } from './damaged-bytes.js';
import { brokenStreams, failureFixtures, replyFixtures, requestFixtures, streamFixtures } from './fixtures.js';
import { imageCallOf, imageTargetOf, smallImageCall } from './image-calls.js';
import { readCut } from './read-cut.js';
import { gatewayErrorOf } from './thrown-error.js';

const IDS = Object.keys(IMAGE_PROTOCOLS) as ImageProtocolId[];
const STREAMING = IDS.filter((id) => IMAGE_PROTOCOLS[id].openReader !== undefined);

/** Erases the protocol's own call type: the test table pairs them correctly. */
const protocolOf = (id: ImageProtocolId): ImageProtocol<ImageProtocolId> =>
  IMAGE_PROTOCOLS[id] as unknown as ImageProtocol<ImageProtocolId>;

function readerOf(id: ImageProtocolId, call: ImageCall<ImageProtocolId>): StreamReader {
  const reader = protocolOf(id).openReader?.(call);
  if (reader === undefined) throw new Error(`${id} does not stream`);
  return reader;
}

describe.each(IDS)('%s', (id) => {
  const protocol = protocolOf(id);
  const replies = replyFixtures(id) as readonly (ReturnType<typeof replyFixtures>[number] & { upstreamId?: string })[];

  it('is registered under its own id', () => {
    expect(protocol.id).toBe(id);
  });

  it.each(requestFixtures(id))('writes the request: $name', ({ client, upstream }) => {
    const request = protocol.buildRequest(imageCallOf(id, client), imageTargetOf(client.model));
    expect(request.method).toBe('POST');
    expect(request.url).toBe(`https://upstream.example${upstream.url}`);
    expect(JSON.parse(String(request.body))).toEqual(upstream.body);
    expect(Object.values(request.headers).some((value) => value.includes('secret-credential'))).toBe(true);
    expect(String(request.body)).not.toContain('secret-credential');
  });

  it.each(replies)('reads the reply: $name', ({ client, upstream, answer, usage, upstreamId }) => {
    const reply = protocol.readReply(Buffer.from(JSON.stringify(upstream)), imageCallOf(id, client));
    expect(JSON.parse(Buffer.from(reply.body).toString('utf8'))).toEqual(answer);
    expect(reply.usage).toEqual(usage);
    expect(reply.upstreamId).toBe(upstreamId);
  });

  it.each(failureFixtures(id))('classifies the failure: $name', (fixture) => {
    const body = Buffer.from(JSON.stringify(fixture.body));
    const failure = protocol.readFailure({ status: fixture.status, headers: fixture.headers, body });
    expect(failure.kind).toBe(fixture.kind);
    expect(failure.error.code).toBe(fixture.code);
    expect(failure.retryAfterMs).toBe(fixture.retryAfterMs);
    const passed = failure.error.details.passThrough;
    expect(passed === undefined ? undefined : JSON.parse(passed.body)).toEqual(fixture.passes);
    if (passed === undefined)
      expect(failure.error.message).not.toMatch(/quota|key|team|billing|account|credit|balance/i);
    else expect(passed.status).toBe(fixture.status);
  });

  it.each(failureFixtures(id).filter(({ kind }) => kind === 'request'))(
    'throws the same error with status 200, or a failure of the upstream where the body names no status: $name',
    ({ body, code }) => {
      const error = gatewayErrorOf(() =>
        protocol.readReply(Buffer.from(JSON.stringify(body)), smallImageCall(id) as ImageCall<ImageProtocolId>),
      );
      expect([code, 'upstream_error']).toContain(error?.code);
    },
  );

  it('throws only GatewayErrors for garbage', () => {
    const call = smallImageCall(id) as ImageCall<ImageProtocolId>;
    const known = replies.map(({ upstream }) => Buffer.from(JSON.stringify(upstream)));
    const damaged = damagedBytes(known);
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json().map(Buffer.from)), (bytes) => {
        gatewayErrorOf(() => {
          const { usage } = protocol.readReply(bytes, call);
          for (const count of Object.values(usage.units)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        });
        expect(isGatewayError(protocol.readFailure({ status: 400, headers: {}, body: bytes }).error)).toBe(true);
      }),
      { numRuns: 4_000 },
    );
  });

  it('classifies a proxy’s HTML page as a server failure, with any status', () => {
    const page = Buffer.from('<html><body>Bad gateway at 10.0.0.7</body></html>');
    for (const status of [302, 400, 404, 408, 500, 502, 504]) {
      const { kind, error } = protocol.readFailure({ status, headers: { 'content-type': 'text/html' }, body: page });
      expect(kind).toBe('server');
      expect(JSON.stringify(error.toRecord())).not.toContain('10.0.0.7');
    }
    const call = smallImageCall(id) as ImageCall<ImageProtocolId>;
    expect(gatewayErrorOf(() => protocol.readReply(page, call))?.code).toBe('upstream_error');
  });
});

describe.each(STREAMING)('%s as a stream', (id) => {
  const streams = streamFixtures(id);

  it.each(streams)('is read with any cut: $name', ({ client, upstream, answer, usage }) => {
    for (let cut = 0; cut <= upstream.length; cut += 1) {
      const reader = readerOf(id, imageCallOf(id, client));
      expect(readCut(reader, upstream, [cut])).toBe(answer.toString('utf8'));
      expect(reader.usage()).toEqual(usage);
      expect(reader.isFinal).toBe(true);
    }
    const everywhere = Array.from({ length: upstream.length }, (_, index) => index);
    expect(readCut(readerOf(id, imageCallOf(id, client)), upstream, everywhere)).toBe(answer.toString('utf8'));
  });

  it.each(streams)('never ends cleanly if it was cut: $name', ({ client, upstream }) => {
    const events = upstream.toString('utf8').split('\n\n');
    const end = events.findIndex((event) => event.includes('image_generation.completed'));
    for (let count = 0; count <= end; count += 1) {
      const reader = readerOf(id, imageCallOf(id, client));
      const sent = events.slice(0, count).map((event) => `${event}\n\n`);
      expect(gatewayErrorOf(() => readCut(reader, Buffer.from(sent.join('')), []))?.code).toBe('upstream_error');
      expect(reader.isFinal).toBe(false);
      expect(reader.usage().isEstimated).toBe(true);
    }
  });

  it.each(streams)('accepts events above the limit of chat events: $name', ({ client, upstream }) => {
    const image = 'A'.repeat(6 * 1024 * 1024);
    const large = upstream.toString('utf8').replace('"type":', `"b64":"${image}","type":`);
    const cuts = [1_000_000, 3_000_000, 5_000_000];
    expect(readCut(readerOf(id, imageCallOf(id, client)), Buffer.from(large), cuts)).toContain(image);
  });

  it.each(brokenStreams(id))('throws its error after the bytes before it: $name', ({ upstream }) => {
    const reader = readerOf(id, smallImageCall(id) as ImageCall<ImageProtocolId>);
    expect(reader.usage()).toEqual({ ...NO_USAGE, units: expect.any(Object), isEstimated: true });
    expect(Buffer.from(reader.read(upstream)).toString('utf8')).toMatch(/^event: image_generation\.partial/);
    expect(gatewayErrorOf(() => reader.end())?.code).toBe('upstream_error');
    expect(Object.values(reader.usage().units).some((count) => count > 0)).toBe(true);
  });
});
