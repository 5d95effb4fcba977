import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { findModel } from '@gateway/catalogue';
import { type GatewayError, NO_USAGE, type RequestId } from '@gateway/contracts';
import type { PendingRequest } from '@gateway/relay';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { AdmittedRequest, BufferedResponse } from '../edge-request.js';
import { setCaller } from '../http/request-context.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { RunningResponse } from './running-response.js';

/** A client's socket, as far as a response needs one. */
class Socket extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  head: unknown;
  text = '';
  cork(): void {}
  uncork(): void {}
  flushHeaders(): void {}
  writeHead(status: number, headers: object): void {
    this.head = { status, headers };
  }
  write(chunk: Buffer): boolean {
    if (this.destroyed) throw new Error('written to a client that has left');
    this.text += chunk.toString();
    return true;
  }
  end(last?: string): void {
    this.text += last ?? '';
    this.writableFinished = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

class Acceptance implements BufferedResponse {
  text = '';
  isWhole = false;
  buffers({ status }: { status: number }): boolean {
    return status === 202;
  }
  write(piece: Buffer): void {
    this.text += piece.toString();
  }
  end(last?: Buffer | string): void {
    this.text += last?.toString() ?? '';
    this.isWhole = true;
  }
}

function videoResponse(buffered?: Acceptance) {
  const socket = new Socket();
  const seen = { refusals: [] as GatewayError[], settled: [] as string[], cancelled: [] as string[] };
  const request = { id: 'req_x', url: '/v1/videos/generations', headers: {} };
  setCaller(request as unknown as FastifyReply['request'], { key: keyOf() });
  const model = findModel('wn2.7-t2v');
  if (model === undefined) throw new Error('no such model');
  const admitted: AdmittedRequest = {
    requestId: 'req_abcdefghijklmnopqrstuvwxyz' as RequestId,
    caller: { key: keyOf() },
    endpoint: 'videos.generations',
    model,
    worstCase: NO_USAGE,
    body: Buffer.alloc(0),
    isStream: false,
    includesCostComment: false,
    traceparent: undefined,
    outlivesClient: true,
    responseHeaders: { 'x-gateway-filled': 'parameters.duration' },
    price: { version: 'v', perMillion: {} },
    holdNanoUsd: 5n,
    rate: { limit: 0, remaining: 0, resetMs: 0 },
    admittedAtMs: 0,
    deadlineMs: 0,
    ...(buffered && { buffered }),
  };
  const reply = {
    raw: socket as unknown as ServerResponse,
    request,
    hijack() {},
    headers() {},
    removeHeader() {},
  } as unknown as FastifyReply;
  const answer = new RunningResponse(
    admitted,
    reply,
    {
      settle: (_request, outcome) => {
        seen.settled.push(outcome);
        return 0n;
      },
      withdraw: () => undefined,
      refuse: (error) => seen.refusals.push(error),
      errorEvent: () => '',
      finished: () => undefined,
    },
    { acceptTimeoutMs: 1, slowClientTimeoutMs: 1, heartbeatMs: 1 },
  );
  answer.begin({
    pause() {},
    resume() {},
    release() {},
    cancel: (reason: string) => seen.cancelled.push(reason) > 0,
  } as unknown as PendingRequest);
  const accept = (): void => {
    answer.onHead({ status: 202, headers: { 'content-length': '9', 'x-hold-usd': '0.50' } });
    answer.onData(Buffer.from('{"id":"t"'));
    answer.onData(Buffer.from('}'));
    answer.onEnd({ costNanoUsd: '0' });
  };
  return { answer, socket, seen, accept };
}

describe('the response of a video task', () => {
  it("has the edge's headers beside those of the worker", async () => {
    const { answer, socket, accept } = videoResponse();
    answer.onGranted();
    accept();
    await answer.done;
    expect(socket.head).toMatchObject({
      status: 202,
      headers: { 'x-gateway-filled': 'parameters.duration', 'x-hold-usd': '0.50' },
    });
    expect(socket.text).toBe('{"id":"t"}');
  });

  it('is buffered if the client waits for the end of the task', async () => {
    const buffered = new Acceptance();
    const { answer, socket, accept } = videoResponse(buffered);
    answer.onGranted();
    accept();
    await answer.done;
    expect([buffered.text, buffered.isWhole]).toEqual(['{"id":"t"}', true]);
    expect([socket.head, socket.text]).toEqual([undefined, '']);
  });

  it('is sent to the client if it is a refusal', async () => {
    const buffered = new Acceptance();
    const { answer, socket } = videoResponse(buffered);
    answer.onGranted();
    answer.onHead({ status: 400, headers: {} });
    answer.onData(Buffer.from('no'));
    answer.onEnd({ costNanoUsd: '0' });
    await answer.done;
    expect([socket.text, buffered.isWhole]).toEqual(['no', false]);
  });

  it('does not cancel the worker when the client leaves, and writes nothing more', async () => {
    for (const isHeadSent of [false, true]) {
      const { answer, socket, seen, accept } = videoResponse();
      answer.onGranted();
      if (isHeadSent) answer.onHead({ status: 202, headers: {} });
      socket.leave();
      accept();
      await answer.done;
      expect(seen).toEqual({ refusals: [], settled: [], cancelled: [] });
      expect(socket.text).toBe('');
    }
  });

  it('is given up if the client leaves before a worker claims the task', async () => {
    const { answer, socket, seen } = videoResponse();
    socket.leave();
    await answer.done;
    expect(seen).toEqual({ refusals: [], settled: ['aborted'], cancelled: [] });
  });

  it('names the task if its worker is lost, even if it was to be buffered', async () => {
    const { answer, seen } = videoResponse(new Acceptance());
    answer.onGranted();
    answer.onHead({ status: 202, headers: {} });
    answer.onWorkerLost();
    await answer.done;
    expect(seen.settled).toEqual(['failed']);
    expect(
      seen.refusals.map(({ code, message }) => [code, message.includes('task_abcdefghijklmnopqrstuvwxyz')]),
    ).toEqual([['worker_lost', true]]);
  });

  it('does not cancel the worker when the edge restarts', async () => {
    const { answer, seen } = videoResponse();
    answer.onGranted();
    answer.cutForDrain();
    await answer.done;
    expect(seen.cancelled).toEqual([]);
    expect(seen.refusals.map(({ code }) => code)).toEqual(['service_unavailable']);
  });
});
