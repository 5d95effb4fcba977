import {
  atLeastInput,
  type CancelReason,
  type FailPayload,
  GatewayError,
  hasOutput,
  inputOf,
  type MeterReading,
  mergeChanges,
  NO_USAGE,
  type ResponseEnd,
  type ResponseHead,
  type SettlementOutcome,
} from '@gateway/contracts';
import type { PendingRequest, PendingRequestHandlers } from '@gateway/relay';
import type { FastifyReply } from 'fastify';
import type { AdmittedRequest, ResponseRecording } from '../edge-request.js';
import { requestChanges } from '../http/request-changes.js';
import { longBodyBytes } from '../long-body.js';
import { ClientConnection, type FailureWriters } from './client-connection.js';
import { noWorkerClaimed, restarting, restartingWhileRunning, workerLost } from './failures.js';
import { costComment } from './response-headers.js';
import { takesComments } from './stream-comments.js';

/** The services of the edge that a running response calls. */
export interface ResponsePorts extends FailureWriters {
  /** Settles a request that no worker will settle. */
  readonly settle: (
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
    code: string,
  ) => void;
  /** Settles what a lost worker had metered, unless it has settled. Undefined: what the request costs is not known yet. */
  readonly settleLost: (
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
  ) => Promise<ResponseEnd | undefined>;
  readonly withdraw: (request: AdmittedRequest) => void;
  readonly finished: (response: RunningResponse) => void;
}

export interface ResponseLimits {
  readonly acceptTimeoutMs: number;
  readonly slowClientTimeoutMs: number;
  readonly heartbeatMs: number;
}

/** Long submissions wait for each other: a worker of videos has room for one at a time. */
const PATIENCE_FOR_ROOM = 6;

const waitsForRoom = (request: AdmittedRequest): boolean =>
  request.endpoint === 'videos.generations' && longBodyBytes(request) !== undefined;

/**
 * One admitted request, from its ticket to the last byte on the client's socket. It decides who settles: the worker, once
 * its claim is granted. The edge settles before that, and if the worker is lost.
 */
export class RunningResponse implements PendingRequestHandlers {
  readonly startedAtMs = Date.now();
  readonly #done = Promise.withResolvers<void>();
  readonly #client: ClientConnection;
  readonly #stopWatching: () => void;
  readonly #patience: number;
  #pending: PendingRequest | undefined;
  #isGranted = false;
  #isCancelled = false;
  /** The client has left, and the response is read on without it. */
  #hasLeft = false;
  #isFinished = false;
  #isComplete = false;
  #reading: MeterReading | undefined;

  constructor(
    readonly request: AdmittedRequest,
    reply: FastifyReply,
    private readonly ports: ResponsePorts,
    private readonly limits: ResponseLimits,
  ) {
    this.#client = new ClientConnection(request, reply, ports);
    this.#patience = waitsForRoom(request) ? PATIENCE_FOR_ROOM : 1;
    this.#stopWatching = this.#client.onClose(() => this.#onClientClosed());
  }

  /** Resolves once nothing more is sent or settled here. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Called once, right after the relay started to expect the claim. */
  begin(pending: PendingRequest): void {
    this.#pending = pending;
    // The client may have left during admission, before the close listener existed.
    if (this.#client.hasLeft) this.#onClientClosed();
  }

  onGranted(): void {
    this.#isGranted = true;
  }

  onHead(head: ResponseHead): void {
    if (this.#isFinished || this.#isCancelled) return;
    const changes = mergeChanges(requestChanges(this.request), head.changes);
    const reported = { ...head, changes };
    this.request.recording?.head(reported);
    this.request.observer?.head(head);
    this.#client.begin(reported);
  }

  onData(chunk: Buffer): void {
    if (this.#pending === undefined || this.#isFinished || this.#isCancelled) return;
    if (!this.#client.hasBegun) return;
    this.request.observer?.data(chunk);
    this.#client.write(chunk, this.#pending);
  }

  onMeter(reading: MeterReading): void {
    this.#reading = reading;
  }

  onEnd(end: ResponseEnd): void {
    if (this.#isFinished) return;
    const { recording, isStream, includesCostComment } = this.request;
    const isCommented = isStream && includesCostComment && takesComments(this.request);
    const trailer = isCommented ? costComment(end) : undefined;
    const isSent = this.#client.hasBegun && !this.#isCancelled;
    if (isSent) this.request.observer?.complete();
    if (isSent && recording?.isActive === true) void this.#endOnceStored(recording, trailer);
    else {
      if (isSent) this.#client.end(trailer);
      this.#close();
    }
  }

  onFail({ settled, changes, ...error }: FailPayload): void {
    if (this.#isFinished) return;
    this.#close();
    this.#client.report(changes);
    this.#sendFailure(GatewayError.fromRecord(error), settled);
  }

  onWorkerLost(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    void this.#endLost();
  }

  /** No worker has claimed the request: settles it at zero and refuses it. Does nothing once a worker was granted it. */
  giveUp(error: GatewayError, outcome: SettlementOutcome = 'failed'): void {
    if (this.#isFinished || this.#isGranted) return;
    this.#pending?.release();
    this.ports.withdraw(this.request);
    this.ports.settle(this.request, outcome, undefined, error.code);
    this.#close();
    this.#sendFailure(error);
  }

  /** Called about once a second. Checks time-outs and sends heartbeats, so that no request needs a timer. */
  tick(nowMs: number): void {
    if (this.#isFinished || this.#isCancelled || this.#hasLeft) return;
    const { acceptTimeoutMs, slowClientTimeoutMs, heartbeatMs } = this.limits;
    if (!this.#isGranted && nowMs - this.startedAtMs > acceptTimeoutMs * this.#patience) this.giveUp(noWorkerClaimed());
    else if (this.#client.stalledMs(nowMs) > slowClientTimeoutMs) this.#dismissSlowClient();
    else this.#client.sendHeartbeat(nowMs, heartbeatMs);
  }

  /** The drain ran out of time: refuses the client and stops the worker. */
  abortForDrain(): void {
    if (this.#isFinished) return;
    if (!this.#isGranted) {
      this.giveUp(restarting());
      return;
    }
    if (this.#hasLeft) {
      this.#handOver();
      return;
    }
    // The worker settles what it has metered.
    this.#client.removeCostHeader();
    this.#sendFailure(restartingWhileRunning(this.request));
    if (this.request.outlivesClient === true) this.#close();
    else this.#cancel('edge_draining');
  }

  /** The worker may have settled its response, and died before it sent it. So the failure says what Redis knows. */
  async #endLost(): Promise<void> {
    const { outcome, reading } = this.#lostUsage();
    const settled = await this.ports.settleLost(this.request, outcome, reading);
    this.#close();
    if (settled === undefined) this.#client.removeCostHeader();
    this.#sendFailure(workerLost(this.request), settled);
  }

  /** Stores the response before its end is sent: a client that misses the last byte can retry and gets it. */
  async #endOnceStored(recording: ResponseRecording, trailer: string | undefined): Promise<void> {
    this.#isFinished = true;
    this.#isComplete = true;
    this.#client.end(await recording.end(trailer));
    this.#close();
  }

  #onClientClosed(): void {
    if (this.#isFinished || this.#isCancelled || this.#hasLeft || this.#client.isFlushed) return;
    if (this.#isGranted && this.request.outlivesClient === true) this.#client.mute();
    else if (this.#isGranted && this.request.abortContract === 'completes') this.#leave();
    else if (this.#isGranted) this.#cancel('client_closed');
    else this.giveUp(new GatewayError('client_closed_request', 'The client closed the request.'), 'aborted');
  }

  /** The worker reads on. No client paces it any more, and its bytes may be unwanted. */
  #leave(): void {
    this.#hasLeft = true;
    this.#client.mute();
    const wantsResponse = this.request.recording?.leave() ?? false;
    if (this.#pending?.leave(wantsResponse) !== true) this.#cancel('client_closed');
  }

  /** The worker settles a response without its client, also without its edge. */
  #handOver(): void {
    this.#cancel('edge_draining');
    this.#close();
  }

  #dismissSlowClient(): void {
    // Its close event makes a request that completes continue.
    if (this.request.abortContract === 'stops') this.#cancel('slow_client');
    this.#client.destroy();
  }

  /** What a lost worker's response costs. One whose client has left costs at least its prompt: the vendor has it. */
  #lostUsage(): { readonly outcome: SettlementOutcome; readonly reading: MeterReading | undefined } {
    const reading = this.#reading;
    if (this.#hasLeft) {
      return { outcome: 'aborted', reading: atLeastInput(reading ?? NO_USAGE, inputOf(this.request.worstCase)) };
    }
    if (this.#isCancelled) return { outcome: 'aborted', reading };
    return hasOutput(reading?.units ?? {})
      ? { outcome: 'interrupted', reading }
      : { outcome: 'failed', reading: undefined };
  }

  #cancel(reason: CancelReason): void {
    if (this.#isCancelled || this.#isFinished) return;
    this.#isCancelled = true;
    if (this.#pending?.cancel(reason) !== false) return;
    // The worker received the request only in part, so it has not run it and will not settle it.
    this.ports.settle(this.request, 'aborted', undefined, 'client_closed_request');
    this.#close();
  }

  #sendFailure(error: GatewayError, settled?: ResponseEnd): void {
    if (!this.#isCancelled) this.#client.fail(error, settled);
  }

  /** Called before a failure is sent, so that the client's retry finds its idempotency key released. */
  #close(): void {
    this.#isFinished = true;
    if (!this.#isComplete) void this.request.recording?.release();
    this.request.observer?.end();
    this.#stopWatching();
    this.#pending?.release();
    this.ports.finished(this);
    this.#done.resolve();
  }
}
