import {
  type FailPayload,
  GatewayError,
  type MeterReading,
  type ResponseEnd,
  type SettlementOutcome,
} from '@gateway/contracts';
import type { PendingRequest } from '@gateway/relay';
import { describe, expect, it } from '@jest/globals';
import type { AdmittedRequest, BufferedResponse, ResponseRecording } from '../edge-request.js';
import { admittedRequest, admittedVideo, FakeReply, usage } from '../test-support/edge-fakes.js';
import { RunningResponse } from './running-response.js';

class Acceptance implements BufferedResponse {
  text = '';
  isWhole = false;
  buffers({ status }: { status: number }): boolean {
    return status === 202;
  }
  write(chunk: Buffer): void {
    this.text += chunk.toString();
  }
  end(last?: Buffer | string): void {
    this.text += last?.toString() ?? '';
    this.isWhole = true;
  }
}

interface Settled {
  readonly outcome: SettlementOutcome;
  readonly reading: MeterReading | undefined;
  readonly code: string;
}

const LIMITS = { acceptTimeoutMs: 1_000, slowClientTimeoutMs: 2_000, heartbeatMs: 500 };
const LOST: ResponseEnd = { costNanoUsd: '7000', balanceNanoUsd: '3000' };

/** A running response with fakes around it. `isWithdrawn`: the relay can still take the request back from its worker. */
function respond(
  request: AdmittedRequest,
  { isWithdrawn = false, lost = LOST }: { isWithdrawn?: boolean; lost?: ResponseEnd | null } = {},
) {
  const client = new FakeReply({}, request.caller.key);
  const { socket } = client;
  const seen = {
    refusals: [] as GatewayError[],
    settled: [] as Settled[],
    cancelled: [] as string[],
    left: [] as boolean[],
    withdrawals: 0,
  };
  const flow: string[] = [];
  let finishedCount = 0;
  const response = new RunningResponse(
    request,
    client.asReply,
    {
      settle: (_request, outcome, reading, code) => {
        seen.settled.push({ outcome, reading, code });
      },
      settleLost: async (_request, outcome, reading) => {
        seen.settled.push({ outcome, reading, code: 'worker_lost' });
        return lost ?? undefined;
      },
      withdraw: () => {
        seen.withdrawals += 1;
      },
      sendError: (error) => seen.refusals.push(error),
      renderErrorEvent: ({ code }) => `error: ${code}\n\n`,
      finished: () => {
        finishedCount += 1;
      },
    },
    LIMITS,
  );
  const begin = () =>
    response.begin({
      pause: () => flow.push('pause'),
      resume: () => flow.push('resume'),
      release: () => flow.push('release'),
      leave: (wantsResponse: boolean) => {
        seen.left.push(wantsResponse);
        return !isWithdrawn;
      },
      cancel: (reason: string) => {
        seen.cancelled.push(reason);
        return !isWithdrawn;
      },
    } as unknown as PendingRequest);
  return { begin, client, flow, finished: () => finishedCount, response, seen, socket };
}

function running(request: AdmittedRequest, options?: Parameters<typeof respond>[1]) {
  const all = respond(request, options);
  all.begin();
  return all;
}

function videoResponse(buffered?: Acceptance) {
  const all = running(admittedVideo(buffered && { buffered }));
  const accept = (): void => {
    all.response.onHead({ status: 202, headers: { 'content-length': '9', 'x-held-usd': '0.50' } });
    all.response.onData(Buffer.from('{"id":"t"'));
    all.response.onData(Buffer.from('}'));
    all.response.onEnd({ costNanoUsd: '0' });
  };
  return { ...all, accept };
}

describe('the response of a video task', () => {
  it("has the edge's headers beside those of the worker", async () => {
    const { response, socket, accept } = videoResponse();
    response.onGranted();
    accept();
    await response.done;
    expect(socket.head).toMatchObject({
      status: 202,
      headers: { 'x-gateway-filled': 'parameters.duration=5', 'x-held-usd': '0.50' },
    });
    expect(socket.text).toBe('{"id":"t"}');
  });

  it("reports the changes of the worker's adapter with those of the edge", async () => {
    const { response, socket } = videoResponse();
    response.onGranted();
    const changes = { filled: { 'parameters.duration': '6', seed: '1' }, dropped: ['n'] };
    response.onHead({ status: 202, headers: { 'content-length': '0' }, changes });
    response.onEnd({ costNanoUsd: '0' });
    await response.done;
    expect(socket.head).toMatchObject({
      headers: { 'x-gateway-filled': 'parameters.duration=6, seed=1', 'x-gateway-dropped': 'n' },
    });
  });

  it('is buffered if the client waits for the end of the task', async () => {
    const buffered = new Acceptance();
    const { response, socket, accept } = videoResponse(buffered);
    response.onGranted();
    accept();
    await response.done;
    expect([buffered.text, buffered.isWhole]).toEqual(['{"id":"t"}', true]);
    expect([socket.head, socket.text]).toEqual([undefined, '']);
  });

  it('is sent to the client if it is a refusal', async () => {
    const buffered = new Acceptance();
    const { response, socket } = videoResponse(buffered);
    response.onGranted();
    response.onHead({ status: 400, headers: {} });
    response.onData(Buffer.from('no'));
    response.onEnd({ costNanoUsd: '0' });
    await response.done;
    expect([socket.text, buffered.isWhole]).toEqual(['no', false]);
  });

  it('does not cancel the worker when the client leaves, and writes nothing more', async () => {
    for (const isHeadSent of [false, true]) {
      const { response, socket, seen, accept } = videoResponse();
      response.onGranted();
      if (isHeadSent) response.onHead({ status: 202, headers: {} });
      socket.leave();
      accept();
      await response.done;
      expect(seen).toEqual({ refusals: [], settled: [], cancelled: [], left: [], withdrawals: 0 });
      expect(socket.text).toBe('');
    }
  });

  it('is given up if the client leaves before a worker claims the task', async () => {
    const { response, socket, seen } = videoResponse();
    socket.leave();
    await response.done;
    expect(seen).toMatchObject({ refusals: [], settled: [{ outcome: 'aborted', reading: undefined }], cancelled: [] });
    expect(seen.withdrawals).toBe(1);
  });

  it('names the task if its worker is lost, even if it was to be buffered', async () => {
    const { response, seen } = videoResponse(new Acceptance());
    response.onGranted();
    response.onHead({ status: 202, headers: {} });
    response.onWorkerLost();
    await response.done;
    expect(seen.settled.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(
      seen.refusals.map(({ code, message }) => [code, message.includes('task_abcdefghijklmnopqrstuvwxyz')]),
    ).toEqual([['worker_lost', true]]);
  });

  it('does not cancel the worker when the edge restarts', async () => {
    const { response, seen } = videoResponse();
    response.onGranted();
    response.abortForDrain();
    await response.done;
    expect(seen.cancelled).toEqual([]);
    expect(seen.refusals.map(({ code }) => code)).toEqual(['service_unavailable']);
  });
});

/** Records what the response does with its recording. */
class FakeRecording implements ResponseRecording {
  readonly isActive = true;
  readonly calls: string[] = [];
  head(): void {
    this.calls.push('head');
  }
  data(chunk: Buffer): Buffer {
    this.calls.push('data');
    return chunk;
  }
  leave(): boolean {
    this.calls.push('left');
    return true;
  }
  async end(trailer: string | undefined): Promise<Buffer> {
    this.calls.push('stored');
    return Buffer.from(trailer ?? '');
  }
  async release(): Promise<void> {
    this.calls.push('released');
  }
}

const reading: MeterReading = usage({ input_token: 10, output_token: 5 });
const promptOnly: MeterReading = usage({ input_token: 10 });
const OK = { status: 200, headers: {} };
const away = () => new GatewayError('service_unavailable', 'The queue is away.', { retryAfterMs: 1_000 });

describe('before a worker has claimed the request', () => {
  it('a failed dispatch settles at zero, refuses the client and releases the idempotency key', async () => {
    const recording = new FakeRecording();
    const { flow, finished, response, seen } = running(admittedRequest({ recording }));
    response.giveUp(away());
    await response.done;
    expect(seen.settled).toEqual([{ outcome: 'failed', reading: undefined, code: 'service_unavailable' }]);
    expect(seen.refusals.map(({ code }) => code)).toEqual(['service_unavailable']);
    expect([recording.calls, seen.withdrawals, finished()]).toEqual([['released'], 1, 1]);
    expect(flow).toContain('release');
  });

  it('a long submission of a video is given up later: it may wait for room in a worker', async () => {
    const { response, seen } = respond({ ...admittedVideo({}), body: Buffer.alloc(1024 * 1024 + 1) });
    response.tick(response.startedAtMs + 6 * LIMITS.acceptTimeoutMs);
    expect(seen.settled).toEqual([]);
    response.tick(response.startedAtMs + 6 * LIMITS.acceptTimeoutMs + 1);
    await response.done;
    expect(seen.refusals.map(({ code }) => code)).toEqual(['upstream_unavailable']);
  });

  it('the request is given up when no worker claims it in time', async () => {
    const { response, seen } = running(admittedRequest());
    response.tick(response.startedAtMs + LIMITS.acceptTimeoutMs);
    expect(seen.settled).toEqual([]);
    response.tick(response.startedAtMs + LIMITS.acceptTimeoutMs + 1);
    await response.done;
    expect(seen.settled).toEqual([{ outcome: 'failed', reading: undefined, code: 'upstream_unavailable' }]);
    expect(seen.refusals.map(({ code }) => code)).toEqual(['upstream_unavailable']);
    expect(seen.withdrawals).toBe(1);
  });

  it('a client that leaves costs nothing', async () => {
    const { response, seen, socket } = running(admittedRequest());
    socket.leave();
    await response.done;
    expect(seen.settled).toEqual([{ outcome: 'aborted', reading: undefined, code: 'client_closed_request' }]);
  });

  it('a client that left during admission costs nothing', async () => {
    const { begin, response, seen, socket } = respond(admittedRequest());
    socket.destroyed = true;
    begin();
    await response.done;
    expect(seen.settled).toMatchObject([{ outcome: 'aborted', reading: undefined }]);
  });

  it('a drain refuses the client with a retryable 503', async () => {
    const { response, seen } = running(admittedRequest());
    response.abortForDrain();
    await response.done;
    expect(seen.settled).toMatchObject([{ outcome: 'failed', reading: undefined, code: 'service_unavailable' }]);
    expect(seen.refusals.map(({ details }) => details.retryAfterMs)).toEqual([1_000]);
  });

  it('it is settled once, whatever happens afterwards', async () => {
    const { finished, response, seen, socket } = running(admittedRequest());
    response.giveUp(away());
    response.giveUp(away());
    socket.leave();
    response.onWorkerLost();
    response.onEnd({ costNanoUsd: '1' });
    response.abortForDrain();
    await response.done;
    expect([seen.settled.length, seen.refusals.length, finished()]).toEqual([1, 1, 1]);
  });
});

describe('after a worker has claimed the request', () => {
  it('the worker settles a complete response, and the edge settles nothing', async () => {
    const { response, seen, socket } = running(admittedRequest());
    response.onGranted();
    response.onHead(OK);
    response.onData(Buffer.from('hello'));
    response.onEnd({ costNanoUsd: '9' });
    await response.done;
    expect([socket.text, seen.settled, seen.refusals]).toEqual(['hello', [], []]);
  });

  it('a failed dispatch and the accept time-out have no effect', () => {
    const { response, seen } = running(admittedRequest());
    response.onGranted();
    response.giveUp(away());
    response.tick(response.startedAtMs + LIMITS.acceptTimeoutMs + 1);
    expect([seen.settled, seen.refusals, response.isFinished]).toEqual([[], [], false]);
  });

  it("a failure of the worker goes to the client with the worker's cost", async () => {
    const recording = new FakeRecording();
    const { client, response, seen } = running(admittedRequest({ recording }));
    response.onGranted();
    const failure = {
      code: 'upstream_error',
      message: 'no',
      changes: { filled: { temperature: '1' }, dropped: [] },
      settled: { costNanoUsd: '5000' },
    } as unknown as FailPayload;
    response.onFail(failure);
    await response.done;
    expect(seen.settled).toEqual([]);
    expect(seen.refusals).toHaveLength(1);
    expect(client.sentHeaders).toMatchObject({
      'x-cost-usd': expect.stringContaining('0.000005'),
      'x-gateway-filled': 'temperature=1',
    });
    expect(recording.calls).toEqual(['released']);
  });

  it.each([
    ['nothing was metered', undefined, 'failed', undefined],
    ['only the prompt was read', promptOnly, 'failed', undefined],
    ['output was generated', reading, 'interrupted', reading],
  ] as const)('a lost worker costs what was generated: %s', async (_what, metered, outcome, charged) => {
    const { client, response, seen } = running(admittedRequest());
    response.onGranted();
    if (metered !== undefined) response.onMeter(metered);
    response.onWorkerLost();
    await response.done;
    expect(seen.settled).toEqual([{ outcome, reading: charged, code: 'worker_lost' }]);
    expect(seen.refusals.map(({ code }) => code)).toEqual(['worker_lost']);
    expect(client.sentHeaders).toMatchObject({ 'x-cost-usd': '0.000007', 'x-balance-usd': '0.000003' });
  });

  it('a lost worker whose settlement is not known has no cost header', async () => {
    const { client, response, seen } = running(admittedRequest(), { lost: null });
    response.onGranted();
    response.onWorkerLost();
    await response.done;
    expect(seen.refusals.map(({ code }) => code)).toEqual(['worker_lost']);
    expect(client.sentHeaders).not.toHaveProperty('x-cost-usd');
  });

  it('a lost worker ends a stream with an error event, and resets the connection of any other response', async () => {
    for (const isStream of [true, false]) {
      const { response, seen, socket } = running(admittedRequest({ isStream }));
      response.onGranted();
      response.onHead(OK);
      response.onData(Buffer.from('data: 1\n\n'));
      response.onWorkerLost();
      await response.done;
      expect(socket.text).toBe(isStream ? 'data: 1\n\nerror: worker_lost\n\n' : 'data: 1\n\n');
      expect([socket.destroyed, seen.refusals]).toEqual([!isStream, []]);
    }
  });

  it('a client that leaves stops the worker, which settles', async () => {
    const { response, seen, socket } = running(admittedRequest());
    response.onGranted();
    response.onHead(OK);
    socket.leave();
    response.onData(Buffer.from('late'));
    response.onEnd({ costNanoUsd: '9' });
    await response.done;
    expect(seen).toMatchObject({ cancelled: ['client_closed'], settled: [], refusals: [] });
    expect(socket.text).toBe('');
  });

  it('a client that leaves before the worker has the complete request costs nothing', async () => {
    const { response, seen, socket } = running(admittedRequest(), { isWithdrawn: true });
    response.onGranted();
    socket.leave();
    await response.done;
    expect(seen.settled).toEqual([{ outcome: 'aborted', reading: undefined, code: 'client_closed_request' }]);
  });

  it('a worker that is lost after its client has left is settled as aborted, by its last reading', async () => {
    const { response, seen, socket } = running(admittedRequest());
    response.onGranted();
    response.onMeter(promptOnly);
    socket.leave();
    response.onWorkerLost();
    await response.done;
    expect(seen.settled).toEqual([{ outcome: 'aborted', reading: promptOnly, code: 'worker_lost' }]);
    expect(seen.refusals).toEqual([]);
  });

  it('a client that does not read pauses the worker, and is cut off after the time-out', () => {
    const { flow, response, seen, socket } = running(admittedRequest());
    response.onGranted();
    response.onHead(OK);
    socket.hasRoom = false;
    response.onData(Buffer.from('hello'));
    expect(flow).toEqual(['pause']);
    socket.emit('drain');
    expect(flow).toEqual(['pause', 'resume']);
    response.onData(Buffer.from('hello'));
    response.tick(Date.now() + LIMITS.slowClientTimeoutMs + 1_000);
    expect([seen.cancelled, socket.destroyed]).toEqual([['slow_client'], true]);
  });

  it('a silent stream gets heartbeats between events only', () => {
    const { response, socket } = running(admittedRequest({ isStream: true }));
    response.onGranted();
    response.onHead(OK);
    response.onData(Buffer.from('data: 1'));
    response.tick(Date.now() + LIMITS.heartbeatMs + 10);
    expect(socket.text).toBe('data: 1');
    response.onData(Buffer.from('\n\n'));
    response.tick(Date.now() + LIMITS.heartbeatMs + 10);
    expect(socket.text).toBe('data: 1\n\n: keep-alive\n\n');
  });

  it("a stream in Google's format gets blank lines only: its clients take a comment for data", async () => {
    const request = admittedRequest({
      endpoint: 'models.stream_generate_content',
      isStream: true,
      includesCostComment: true,
    });
    const { response, socket } = running(request);
    response.onGranted();
    response.onHead(OK);
    response.onData(Buffer.from('data: 1\n\n'));
    response.tick(Date.now() + LIMITS.heartbeatMs + 10);
    response.onEnd({ costNanoUsd: '5000' });
    await response.done;
    expect(socket.text).toBe('data: 1\n\n\n\n');
  });

  it('a drain refuses the client and stops the worker, which settles', async () => {
    const { response, seen } = running(admittedRequest());
    response.onGranted();
    response.abortForDrain();
    expect(seen).toMatchObject({ cancelled: ['edge_draining'], settled: [] });
    expect(seen.refusals.map(({ code }) => code)).toEqual(['service_unavailable']);
    response.onEnd({ costNanoUsd: '9' });
    await response.done;
  });
});

describe('the end of a response', () => {
  it('is sent after the response has been stored, with the cost comment if the client requested it', async () => {
    const recording = new FakeRecording();
    const request = admittedRequest({ recording, isStream: true, includesCostComment: true });
    const { response, socket } = running(request);
    response.onGranted();
    response.onHead(OK);
    response.onData(Buffer.from('data: 1\n\n'));
    response.onEnd({ costNanoUsd: '5000' });
    await response.done;
    expect(recording.calls).toEqual(['head', 'data', 'stored']);
    expect(socket.text).toContain('data: 1\n\n: cost cost_usd=0.000005');
  });

  it('leaves the idempotency key claimed only if the response was complete', async () => {
    const recording = new FakeRecording();
    const { response, socket } = running(admittedRequest({ recording }));
    response.onGranted();
    response.onHead(OK);
    socket.leave();
    response.onEnd({ costNanoUsd: '9' });
    await response.done;
    expect(recording.calls).toEqual(['head', 'released']);
  });
});

describe('a client that leaves a request that completes', () => {
  const worstCase = usage({ input_token: 90, output_token: 500 });
  const completing = (fields: Partial<AdmittedRequest> = {}) =>
    admittedRequest({ abortContract: 'completes', isStream: true, worstCase, ...fields });

  it('changes nothing for the worker, and nothing more is written', async () => {
    const { response, seen, socket } = running(completing());
    response.onGranted();
    response.onHead(OK);
    response.onData(Buffer.from('one'));
    socket.leave();
    response.onData(Buffer.from('two'));
    response.tick(Date.now() + 1_000_000);
    expect(response.isFinished).toBe(false);
    response.onEnd({ costNanoUsd: '7' });
    await response.done;
    expect(seen).toMatchObject({ left: [false], cancelled: [], settled: [] });
    expect(socket.text).toBe('one');
  });

  it('lets the response of an idempotency key be recorded to its end', async () => {
    const recording = new FakeRecording();
    const { response, seen, socket } = running(completing({ recording }));
    response.onGranted();
    socket.leave();
    response.onHead(OK);
    response.onData(Buffer.from('one'));
    response.onEnd({ costNanoUsd: '7' });
    await response.done;
    expect([seen.left, recording.calls, socket.text]).toEqual([[true], ['left', 'head', 'data', 'stored'], '']);
  });

  it('is cancelled for free if no worker has the complete request', async () => {
    const { response, seen, socket } = running(completing(), { isWithdrawn: true });
    response.onGranted();
    socket.leave();
    await response.done;
    expect(seen).toMatchObject({ cancelled: ['client_closed'], settled: [{ outcome: 'aborted', reading: undefined }] });
  });

  it('leaves by not reading', async () => {
    const { response, seen, socket } = running(completing());
    response.onGranted();
    response.onHead(OK);
    socket.hasRoom = false;
    response.onData(Buffer.from('one'));
    response.tick(Date.now() + LIMITS.slowClientTimeoutMs + 1_000);
    expect([socket.destroyed, seen.cancelled]).toEqual([true, []]);
    socket.leave();
    expect(seen.left).toEqual([false]);
  });

  it('costs at least its prompt if the worker is lost', async () => {
    const { response, seen, socket } = running(completing());
    response.onGranted();
    socket.leave();
    response.onMeter(usage({ input_token: 10, output_token: 5 }, true));
    response.onWorkerLost();
    await response.done;
    expect(seen.settled).toMatchObject([
      { outcome: 'aborted', reading: { units: { input_token: 90, output_token: 5 } }, code: 'worker_lost' },
    ]);
  });

  it('is handed over to its worker when the edge restarts', async () => {
    const recording = new FakeRecording();
    const { response, seen, socket } = running(completing({ recording }));
    response.onGranted();
    socket.leave();
    response.abortForDrain();
    await response.done;
    expect(seen).toMatchObject({ cancelled: ['edge_draining'], settled: [], refusals: [] });
    expect(recording.calls).toEqual(['left', 'released']);
  });
});
