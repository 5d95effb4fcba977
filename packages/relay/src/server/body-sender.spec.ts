import { FRAME } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { decodeFrame } from '../codec/frame-codec.js';
import { BodySender } from './body-sender.js';

const first = `req_${'a'.repeat(26)}`;
const second = `req_${'b'.repeat(26)}`;

const fail = (_requestId: string, error: Error): never => {
  throw error;
};

class RecordedSocket {
  bufferedBytes = 0;
  readonly sent: { readonly requestId: string; readonly payload: Buffer }[] = [];

  send(message: Buffer): void {
    const { type, requestId, payload } = decodeFrame(message);
    expect(type).toBe(FRAME.body);
    this.bufferedBytes += message.length;
    this.sent.push({ requestId, payload });
  }
}

function drainUntilEmpty(socket: RecordedSocket, sender: BodySender): void {
  let sentBefore = -1;
  while (socket.sent.length > sentBefore) {
    sentBefore = socket.sent.length;
    socket.bufferedBytes = 0;
    sender.sendMore();
  }
}

describe('BodySender', () => {
  it('stops when 256 KiB are buffered', () => {
    const socket = new RecordedSocket();
    new BodySender(socket, fail).add(first, Buffer.alloc(5_000_000));
    expect(socket.sent).toHaveLength(4);
  });

  it('sends two bodies round-robin and each of them whole', () => {
    const socket = new RecordedSocket();
    const sender = new BodySender(socket, fail);
    const body = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    sender.add(first, body);
    sender.add(second, body);
    drainUntilEmpty(socket, sender);
    const partsOf = (id: string) => socket.sent.filter((part) => part.requestId === id).map((part) => part.payload);
    expect(Buffer.concat(partsOf(first)).equals(body)).toBe(true);
    expect(Buffer.concat(partsOf(second)).equals(body)).toBe(true);
    expect(socket.sent.slice(4, 8).map((part) => part.requestId)).toEqual([first, second, first, second]);
  });

  it('reports whether a removed body was unsent', () => {
    const socket = new RecordedSocket();
    const sender = new BodySender(socket, fail);
    sender.add(first, Buffer.alloc(1_000_000));
    expect([sender.remove(first), sender.remove(first)]).toEqual([true, false]);
  });

  it('reads a streamed body only as fast as it sends it, round-robin, and closes its source', async () => {
    const socket = new RecordedSocket();
    const sender = new BodySender(socket, fail);
    const body = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    let readBytes = 0;
    async function* chunks() {
      try {
        for (let offset = 0; offset < body.length; offset += 50_000) {
          readBytes = offset;
          yield body.subarray(offset, offset + 50_000);
        }
      } finally {
        close();
      }
    }
    socket.bufferedBytes = 1_000_000;
    sender.addStreamed(first, { bytes: body.length, read: chunks });
    sender.add(second, body);
    expect([readBytes, socket.sent.length]).toEqual([0, 0]);
    for (let round = 0; round < 100; round += 1) {
      socket.bufferedBytes = 0;
      sender.sendMore();
      await new Promise(setImmediate);
      expect(socket.bufferedBytes).toBeLessThan(400_000);
    }
    await isClosed;
    for (const id of [first, second]) {
      const parts = socket.sent.filter(({ requestId }) => requestId === id).map(({ payload }) => payload);
      expect(Buffer.concat(parts).equals(body)).toBe(true);
    }
  });

  it.each([
    ['ends early', 10, 'body ends 90 bytes early'],
    ['is longer than announced', 101, 'body is longer than announced'],
  ])('reports a streamed body that %s', async (_what, bytes, message) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const sender = new BodySender(new RecordedSocket(), (_requestId, error) => resolve(error.message));
    async function* chunks() {
      yield new Uint8Array(bytes);
    }
    sender.addStreamed(first, { bytes: 100, read: chunks });
    expect(await promise).toBe(message);
    expect(sender.remove(first)).toBe(false);
  });
});
