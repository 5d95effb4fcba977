import { CHAT_PROTOCOL_IDS, type ChatProtocolId, isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChatCall } from '../protocol.js';
import { CHAT_ADAPTERS } from './adapters.js';
import { ANY_MODEL, callOf, smallCall, targetOf } from './calls.js';
import { damagedBytes } from './damaged-bytes.js';
import { brokenStreams, failureFixtures, replyFixtures, requestFixtures, streamFixtures } from './fixtures.js';
import { readCut } from './read-cut.js';
import { gatewayErrorOf } from './thrown-error.js';

/** End marker of each upstream. */
const OWN_END = /"finish_reason":"\w|\[DONE\]|message_stop|"finishReason"|"blockReason"|response\.completed/;

const parseEvents = (sse: string): Record<string, unknown>[] =>
  sse
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as Record<string, unknown>);

const streamingCall = (id: ChatProtocolId): ChatCall => smallCall(ANY_MODEL[id], { stream: true });

describe.each(CHAT_PROTOCOL_IDS)('%s', (id) => {
  const protocol = CHAT_ADAPTERS[id];
  const streams = streamFixtures(id);
  const replies = replyFixtures(id);

  it('is registered under its own id', () => {
    expect(protocol.id).toBe(id);
  });

  it.each(requestFixtures(id))('writes the request: $name', ({ client, upstream }) => {
    const request = protocol.buildRequest(callOf(client), targetOf(client.model));
    expect(request.method).toBe('POST');
    expect(request.url).toBe(`https://upstream.example${upstream.url}`);
    expect(JSON.parse(String(request.body))).toEqual(upstream.body);
    expect(Object.values(request.headers).some((value) => value.includes('secret-credential'))).toBe(true);
    expect(String(request.body)).not.toContain('secret-credential');
  });

  it.each(replies)('reads the reply: $name', ({ client, upstream, answer, usage }) => {
    const reply = protocol.readReply(Buffer.from(JSON.stringify(upstream)), callOf(client));
    expect(JSON.parse(Buffer.from(reply.body).toString('utf8'))).toEqual(answer);
    expect(reply.usage).toEqual(usage);
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: client.model,
      usage: {
        prompt_tokens: usage.inputTokensTotal,
        completion_tokens: usage.units.output_token,
        prompt_tokens_details: { cached_tokens: expect.any(Number) },
        completion_tokens_details: { reasoning_tokens: expect.any(Number) },
      },
    });
    expect(reply.upstreamId).toBeDefined();
  });

  it.each(streams)('reads the stream cut at every byte: $name', ({ client, upstream, answer, usage }) => {
    for (let cut = 0; cut <= upstream.length; cut += 1) {
      const reader = protocol.openReader(callOf(client));
      expect(readCut(reader, upstream, [cut])).toBe(answer.toString('utf8'));
      expect(reader.usage()).toEqual(usage);
      expect(reader.isFinal).toBe(true);
      expect(reader.upstreamId).toBeDefined();
    }
  });

  it.each(streams)('reads the stream cut into single bytes: $name', ({ client, upstream, answer }) => {
    const everywhere = Array.from({ length: upstream.length }, (_, index) => index);
    expect(readCut(protocol.openReader(callOf(client)), upstream, everywhere)).toBe(answer.toString('utf8'));
  });

  it.each(streams)('reads the stream with any line ends and random cuts: $name', ({ client, upstream, answer }) => {
    const lines = upstream.toString('utf8').replace(/\r\n/g, '\n');
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(), { maxLength: 12 }), (lineEnd, numbers) => {
        const bytes = Buffer.from(lines.replaceAll('\n', lineEnd));
        const cuts = numbers.map((number) => number % bytes.length).sort((left, right) => left - right);
        expect(readCut(protocol.openReader(callOf(client)), bytes, cuts)).toBe(answer.toString('utf8'));
      }),
      { numRuns: 60 },
    );
  });

  it.each(streams)('reads the stream without its last blank line: $name', ({ client, upstream, answer }) => {
    const trimmed = Buffer.from(upstream.toString('utf8').trimEnd());
    expect(readCut(protocol.openReader(callOf(client)), trimmed, [])).toBe(answer.toString('utf8'));
  });

  it.each(streams)('writes a valid stream of chunks: $name', ({ client, answer }) => {
    const { stream, stream_options: options } = callOf(client).request;
    if (stream !== true)
      return expect(JSON.parse(answer.toString('utf8'))).toMatchObject({ object: 'chat.completion' });
    const chunks = parseEvents(answer.toString('utf8'));
    expect(answer.toString('utf8').endsWith('data: [DONE]\n\n')).toBe(true);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(new Set(chunks.map((chunk) => chunk.model))).toEqual(new Set([client.model]));
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
    const withCounts = chunks.filter(({ usage }) => usage != null);
    expect(withCounts).toEqual(options?.include_usage === true ? [chunks.at(-1)] : []);
  });

  it.each(streams)('never ends a cut stream cleanly: $name', ({ client, upstream, usage }) => {
    const events = upstream.toString('utf8').replace(/\r\n/g, '\n').split('\n\n');
    for (let count = 0; count < events.length; count += 1) {
      const reader = protocol.openReader(callOf(client));
      const sent = events
        .slice(0, count)
        .map((event) => `${event}\n\n`)
        .join('');
      const error = gatewayErrorOf(() => readCut(reader, Buffer.from(sent), []));
      if (OWN_END.test(sent)) expect(error).toBeUndefined();
      else {
        expect(error?.code).toBe('upstream_error');
        expect(reader.isFinal).toBe(false);
        // Usage is the upstream's own or marked as an estimate.
        expect([true, usage]).toContainEqual(reader.usage().isEstimated || reader.usage());
      }
    }
    expect(gatewayErrorOf(() => readCut(protocol.openReader(callOf(client)), Buffer.alloc(0), []))?.code).toBe(
      'upstream_error',
    );
  });

  it.each(streams)('estimates a cut stream with a count that only grows: $name', ({ client, upstream }) => {
    const reader = protocol.openReader(callOf(client));
    let output = 0;
    for (const byte of upstream.subarray(0, Math.floor(upstream.length / 2))) {
      reader.read(Buffer.of(byte));
      const { units, isEstimated } = reader.usage();
      if (!isEstimated) break;
      expect(units.output_token ?? 0).toBeGreaterThanOrEqual(output);
      output = units.output_token ?? 0;
    }
  });

  it.each(brokenStreams(id))('throws the error of a stream after the bytes before it: $name', ({ upstream }) => {
    const reader = protocol.openReader(streamingCall(id));
    const before = Buffer.from(reader.read(upstream)).toString('utf8');
    expect(parseEvents(before).length).toBeGreaterThan(0);
    expect(before).not.toContain('[DONE]');
    const error = gatewayErrorOf(() => reader.end());
    expect(error).toBeDefined();
    expect(reader.isFinal).toBe(false);
    expect(reader.usage().isEstimated).toBe(true);
  });

  it.each(failureFixtures(id))('classifies the failure: $name', (fixture) => {
    const body = typeof fixture.body === 'string' ? fixture.body : JSON.stringify(fixture.body);
    const failure = protocol.readFailure({ status: fixture.status, headers: fixture.headers, body: Buffer.from(body) });
    expect(failure.kind).toBe(fixture.kind);
    expect(failure.error.code).toBe(fixture.code);
    expect(failure.retryAfterMs).toBe(fixture.retryAfterMs);
    const passed = failure.error.details.passThrough;
    expect(passed === undefined ? undefined : JSON.parse(passed.body)).toEqual(fixture.passes);
    if (passed === undefined) {
      expect(failure.error.message).not.toMatch(/quota|key|organization|billing|account|credit|org-/i);
    } else {
      expect(passed.status).toBe(fixture.status);
      expect(passed.contentType).toBe(fixture.headers['content-type']);
    }
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = [
      ...streams.map(({ upstream }) => upstream),
      ...replies.map(({ upstream }) => Buffer.from(JSON.stringify(upstream))),
    ];
    const damaged = damagedBytes(known);
    const events = fc
      .array(fc.json({ maxDepth: 5 }).map((json) => `data: ${json}\n\n`))
      .map((lines) => Buffer.from(lines.join('')));
    const garbage = fc.oneof(
      damaged,
      events,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map(Buffer.from),
    );
    fc.assert(
      fc.property(garbage, fc.nat(), (bytes, cut) => {
        const call = streamingCall(id);
        gatewayErrorOf(() => readCut(protocol.openReader(call), bytes, [cut % (bytes.length + 1)]));
        gatewayErrorOf(() => readCut(protocol.openReader(smallCall(ANY_MODEL[id])), bytes, []));
        gatewayErrorOf(() => protocol.readReply(bytes, call));
        const failure = protocol.readFailure({ status: 400 + (cut % 200), headers: {}, body: bytes });
        expect(isGatewayError(failure.error)).toBe(true);
      }),
      { numRuns: 15000 },
    );
  });

  it('throws only GatewayErrors for values of the wrong type', () => {
    const wrong = fc.constantFrom<unknown>(null, true, -1, 1.5, '', 'x', [], {}, [null], { a: null });
    for (const { upstream } of replies) {
      const paths = [...pathsOf(upstream)];
      fc.assert(
        fc.property(fc.constantFrom(...paths), wrong, (path, value) => {
          const bytes = Buffer.from(JSON.stringify(withValueAt(upstream, path, value)));
          gatewayErrorOf(() => {
            const { usage } = protocol.readReply(bytes, smallCall(ANY_MODEL[id]));
            for (const count of Object.values(usage.units))
              expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
          });
        }),
        { numRuns: 150 },
      );
    }
  });

  it('classifies a proxy’s HTML page as a server failure, with any status', () => {
    const page = Buffer.from('<html><body>Bad gateway at 10.0.0.7</body></html>');
    for (const status of [302, 400, 404, 408, 418, 500, 502, 504, 520]) {
      const { kind, error } = protocol.readFailure({ status, headers: { 'content-type': 'text/html' }, body: page });
      expect(kind).toBe('server');
      expect(error.code).toBe('upstream_error');
      expect(JSON.stringify(error.toRecord())).not.toContain('10.0.0.7');
    }
    expect(gatewayErrorOf(() => protocol.readReply(page, smallCall(ANY_MODEL[id])))?.code).toBe('upstream_error');
  });
});

type Path = readonly (string | number)[];

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inside] of Object.entries(value)) yield* pathsOf(inside, [...path, key]);
}

function withValueAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = withValueAt(copy[key], rest, replacement);
  return copy;
}
