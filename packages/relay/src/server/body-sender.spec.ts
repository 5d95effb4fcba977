import { FRAME } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { decodeFrame } from '../codec/frame-codec.js';
import { BodySender } from './body-sender.js';

const first = `req_${'a'.repeat(26)}`;
const second = `req_${'b'.repeat(26)}`;

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
    sender.proceed();
  }
}

describe('body sender', () => {
  it('stops when a quarter of a megabyte is buffered', () => {
    const socket = new RecordedSocket();
    new BodySender(socket).add(first, Buffer.alloc(5_000_000));
    expect(socket.sent).toHaveLength(4);
  });

  it('sends two bodies in turns and each of them whole', () => {
    const socket = new RecordedSocket();
    const sender = new BodySender(socket);
    const body = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    sender.add(first, body);
    sender.add(second, body);
    drainUntilEmpty(socket, sender);
    const partsOf = (id: string) => socket.sent.filter((part) => part.requestId === id).map((part) => part.payload);
    expect(Buffer.concat(partsOf(first)).equals(body)).toBe(true);
    expect(Buffer.concat(partsOf(second)).equals(body)).toBe(true);
    expect(socket.sent.slice(4, 8).map((part) => part.requestId)).toEqual([first, second, first, second]);
  });

  it('tells whether a dropped body was still unsent', () => {
    const socket = new RecordedSocket();
    const sender = new BodySender(socket);
    sender.add(first, Buffer.alloc(1_000_000));
    expect([sender.drop(first), sender.drop(first)]).toEqual([true, false]);
  });
});
