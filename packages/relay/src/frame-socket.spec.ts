import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { WebSocket } from 'ws';
import { FrameSocket } from './frame-socket.js';

const HEARTBEAT_MS = 60_000;

/** A socket that records writes, and a manual clock. */
function open() {
  const noted: string[] = [];
  let nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const webSocket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    send: (message: Buffer) => noted.push(message.toString()),
  });
  const tcpSocket = Object.assign(new EventEmitter(), {
    cork: () => noted.push('['),
    uncork: () => noted.push(']'),
  });
  const frames = new FrameSocket(
    webSocket as unknown as WebSocket,
    tcpSocket as unknown as Socket,
    { onFrame: () => undefined, onClose: () => undefined, onError: () => undefined, onDrain: () => undefined },
    HEARTBEAT_MS,
  );
  closers.push(() => webSocket.emit('close'));
  const send = (...messages: string[]) => {
    for (const message of messages) frames.send(Buffer.from(message));
  };
  const at = (milliseconds: number) => {
    nowMs = milliseconds;
  };
  return { send, at, takeNoted: () => noted.splice(0).join('') };
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  jest.restoreAllMocks();
});

const endOfCallback = () => new Promise<void>((resolve) => process.nextTick(resolve));
const endOfIteration = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('FrameSocket', () => {
  it('writes the frames of one callback together, at its end', async () => {
    const { send, takeNoted } = open();
    send('a', 'b', 'c');
    expect(takeNoted()).toBe('[abc');
    await endOfCallback();
    expect(takeNoted()).toBe(']');
  });

  it('batches later frames within a millisecond until the event loop iteration ends', async () => {
    const { send, takeNoted, at } = open();
    send('a');
    await endOfCallback();
    at(1_000.4);
    send('b');
    await endOfCallback();
    at(1_000.8);
    send('c');
    await endOfCallback();
    expect(takeNoted()).toBe('[a][bc');
    await endOfIteration();
    expect(takeNoted()).toBe(']');
  });

  it('does not batch for the whole of a long iteration', async () => {
    const { send, takeNoted, at } = open();
    send('a');
    await endOfCallback();
    send('b');
    at(1_001.2);
    send('c');
    await endOfCallback();
    send('d');
    await endOfCallback();
    expect(takeNoted()).toBe('[a][bc][d');
    await endOfIteration();
    expect(takeNoted()).toBe(']');
  });
});
