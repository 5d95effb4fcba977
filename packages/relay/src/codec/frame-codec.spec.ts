import { FRAME, type FrameType } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeFrame, decodeGrant, encodeFrame, encodeGrant, encodeJsonFrame } from './frame-codec.js';
import * as payloads from './payloads.js';
import { RelayProtocolError } from './relay-protocol-error.js';

const frameType = fc.constantFrom(...Object.values(FRAME)) as fc.Arbitrary<FrameType>;
const requestId = fc
  .array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'), { minLength: 26, maxLength: 26 })
  .map((letters) => `req_${letters.join('')}`);
const ID = `req_${'a'.repeat(26)}`;

describe('frame codec', () => {
  it('decodes every encoded frame', () => {
    fc.assert(
      fc.property(frameType, requestId, fc.uint8Array(), (type, id, payload) => {
        const frame = decodeFrame(encodeFrame(type, id, payload));
        expect(frame).toEqual({ type, requestId: id, payload: Buffer.from(payload) });
      }),
    );
  });

  it('decodes the payload as a view of the message', () => {
    const message = encodeFrame(FRAME.data, ID, Buffer.from('abc'));
    const { payload } = decodeFrame(message);
    message[message.length - 1] = 'z'.charCodeAt(0);
    expect(payload.toString()).toBe('abz');
  });

  it('decodes every encoded grant', () => {
    fc.assert(
      fc.property(requestId, fc.uint8Array(), fc.nat(), (id, firstBytes, missingBytes) => {
        const head = { bodyBytes: firstBytes.length + missingBytes };
        const { payload } = decodeFrame(encodeGrant(id, head, firstBytes));
        expect(decodeGrant(payload)).toEqual({ head, firstBytes: Buffer.from(firstBytes) });
      }),
    );
  });

  it('decodes JSON payloads', () => {
    const head = { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
    expect(payloads.parseResponseHead(decodeFrame(encodeJsonFrame(FRAME.head, ID, head)).payload)).toEqual(head);
    const changed = { ...head, changes: { filled: { temperature: '1' }, dropped: ['top_p'] } };
    expect(payloads.parseResponseHead(Buffer.from(JSON.stringify(changed)))).toEqual(changed);
  });

  it('rejects a request id of another length, which would shift the payload', () => {
    expect(() => encodeFrame(FRAME.data, 'req_short')).toThrow(RelayProtocolError);
  });

  it('decodes arbitrary bytes or throws a protocol error', () => {
    const readers = [
      (bytes: Buffer) => decodeGrant(decodeFrame(bytes).payload),
      decodeGrant,
      ...Object.values(payloads).map((parse) => parse as (payload: Buffer) => unknown),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...readers), fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (read, bytes) => {
        try {
          read(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(RelayProtocolError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('payloads', () => {
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

  it('parses a whole error record', () => {
    const record = {
      code: 'upstream_error' as const,
      message: 'no',
      param: 'messages[0]',
      retryAfterMs: 12,
      mayHaveBegun: true,
      passThrough: { status: 400, contentType: 'application/json', body: '{}' },
      changes: { filled: { temperature: '1' }, dropped: ['top_p'] },
      settled: { costNanoUsd: '5', balanceNanoUsd: '-7' },
    };
    expect(payloads.parseFail(bytes(record))).toEqual(record);
  });

  it('parses a response end without a balance, and with a positive or negative one', () => {
    for (const end of [{ costNanoUsd: '5' }, { costNanoUsd: '5', balanceNanoUsd: '-7' }]) {
      expect(payloads.parseResponseEnd(bytes(end))).toEqual(end);
    }
  });

  it('parses an unknown error code as internal_error', () => {
    expect(payloads.parseFail(bytes({ code: 'toString', message: 'm' }))).toEqual({
      code: 'internal_error',
      message: 'm',
    });
  });

  it.each([
    ['a head with an invalid status', () => payloads.parseResponseHead(bytes({ status: 99, headers: {} }))],
    ['a head with a number as header', () => payloads.parseResponseHead(bytes({ status: 200, headers: { a: 1 } }))],
    [
      'a head with a number as filled value',
      () => payloads.parseResponseHead(bytes({ status: 200, headers: {}, changes: { filled: { a: 1 }, dropped: [] } })),
    ],
    [
      'a head with a text as dropped list',
      () => payloads.parseResponseHead(bytes({ status: 200, headers: {}, changes: { filled: {}, dropped: 'a' } })),
    ],
    ['a negative cost', () => payloads.parseResponseEnd(bytes({ costNanoUsd: '-1' }))],
    [
      'a fraction of a token',
      () => payloads.parseMeterReading(bytes({ units: { a: 0.5 }, inputTokensTotal: 1, isEstimated: true })),
    ],
    ['an unknown reason', () => payloads.parseCancel(bytes({ reason: 'bored' }))],
    ['an array', () => payloads.parseClaim(bytes([]))],
  ])('rejects %s', (_what, parse) => {
    expect(parse).toThrow(RelayProtocolError);
  });
});
