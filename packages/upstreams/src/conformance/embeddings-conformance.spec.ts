import {
  EMBEDDING_PROTOCOL_IDS,
  type EmbeddingModelTraits,
  type EmbeddingsRequest,
  embeddingsRequest,
  isGatewayError,
} from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { joinEmbeddings } from '../embedding-list/join-embeddings.js';
import type { EmbeddingsCall, Target } from '../protocol.js';
import { EMBEDDING_PROTOCOLS } from '../registry.js';
import { damagedBytes } from './damaged-bytes.js';
import { failureFixtures, replyFixtures, requestFixtures } from './fixtures.js';
import { gatewayErrorOf } from './thrown-error.js';

const UPSTREAM_MODELS: Readonly<Record<string, string>> = {
  'text-embedding-v4': 'text-embedding-v4',
  'gm-embedding-001': 'gemini-embedding-001',
  'vg-4-large': 'voyage-4-large',
};

/** Fixture vectors have four numbers. The `gm-` model returns unit vectors only at that length. */
const traitsOf = (model: string): EmbeddingModelTraits => ({
  dimensions: [2, 4],
  defaultDimensions: 4,
  unitLengthOnlyAt: model.startsWith('gm-') ? 4 : null,
  batch: { texts: 10, tokens: 1_000 },
});

function callOf(client: object): EmbeddingsCall {
  const { model, input, dimensions, encoding_format, ...vendorFields }: EmbeddingsRequest =
    embeddingsRequest.parse(client);
  const traits = traitsOf(model);
  return {
    request: {
      texts: typeof input === 'string' ? [input] : input,
      firstIndex: 0,
      dimensions: dimensions ?? traits.defaultDimensions,
      encoding: encoding_format ?? 'float',
      vendorFields,
    },
    publicModel: model,
    traits,
    requestId: 'req_abcdefghijklmnopqrstuvwxyz',
    createdSeconds: 1_795_168_800,
  };
}

const targetOf = (model: string): Target => ({
  baseUrl: 'https://upstream.example',
  credential: 'secret-credential',
  upstreamModel: UPSTREAM_MODELS[model] ?? model,
});

describe.each(EMBEDDING_PROTOCOL_IDS)('%s', (id) => {
  const protocol = EMBEDDING_PROTOCOLS[id];
  const replies = replyFixtures(id);
  const read = (upstream: Buffer, client: object) => {
    const call = callOf(client);
    return joinEmbeddings([protocol.readReply(upstream, call)], call.publicModel);
  };

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
    // Compact, and with white space.
    for (const indent of [0, 2]) {
      const reply = read(Buffer.from(JSON.stringify(upstream, null, indent)), client);
      expect(JSON.parse(Buffer.from(reply.body).toString('utf8'))).toEqual(answer);
      expect(reply.usage).toEqual(usage);
    }
  });

  it.each(failureFixtures(id))('classifies the failure: $name', (fixture) => {
    const failure = protocol.readFailure({
      status: fixture.status,
      headers: fixture.headers,
      body: Buffer.from(JSON.stringify(fixture.body)),
    });
    expect(failure.kind).toBe(fixture.kind);
    expect(failure.error.code).toBe(fixture.code);
    expect(failure.retryAfterMs).toBe(fixture.retryAfterMs);
    const passed = failure.error.details.passThrough;
    expect(passed === undefined ? undefined : JSON.parse(passed.body)).toEqual(fixture.passes);
    if (passed === undefined)
      expect(failure.error.message).not.toMatch(/quota|key|organization|billing|account|credit/i);
  });

  it('throws only GatewayErrors for garbage', () => {
    const known = replies.map(({ upstream }) => Buffer.from(JSON.stringify(upstream)));
    const damaged = damagedBytes(known);
    const [{ client } = { client: {} }] = replies;
    fc.assert(
      fc.property(fc.oneof(damaged, fc.json().map(Buffer.from)), (bytes) => {
        gatewayErrorOf(() => {
          const { body, usage } = read(bytes, client);
          expect(() => JSON.parse(Buffer.from(body).toString('utf8'))).not.toThrow();
          expect(usage.units.input_token).toBeGreaterThan(0);
        });
        expect(isGatewayError(protocol.readFailure({ status: 400, headers: {}, body: bytes }).error)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(replies)('rejects a response with too many or too few vectors: $name', ({ client, upstream }) => {
    const bytes = Buffer.from(JSON.stringify(upstream));
    for (const input of [['one', 'two', 'three'], []]) {
      const call = callOf(client);
      const other = { ...call, request: { ...call.request, texts: input } };
      expect(gatewayErrorOf(() => protocol.readReply(bytes, other))?.code).toBe('upstream_error');
    }
  });

  it.each(replies)('rejects vectors of another length: $name', ({ client, upstream }) => {
    const call = callOf(client);
    const other = { ...call, request: { ...call.request, dimensions: 3 } };
    expect(gatewayErrorOf(() => protocol.readReply(Buffer.from(JSON.stringify(upstream)), other))?.code).toBe(
      'upstream_error',
    );
  });
});
