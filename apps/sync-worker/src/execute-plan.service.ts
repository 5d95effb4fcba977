import type { AudioEncoders } from '@gateway/audio';
import { type Changes, GatewayError, type SyncTicket, type UpstreamAttempt } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import pMap from 'p-map';
import type { CalledParallel, CalledPlan, CalledWhole, SequencePlan } from './adapters/execution-plan.js';
import { InteractionIds } from './adapters/images/interaction-ids.js';
import { type Planned, RunInThread } from './adapters/in-thread/run-in-thread.service.js';
import { planExecution } from './adapters/plan-execution.js';
import { CallWithFailover, type UpstreamRequest } from './call-upstream/call-with-failover.service.js';
import { expectedBytes, ReplyRoom } from './call-upstream/reply-room.js';
import { joinAudio } from './join-audio/join-audio.js';
import { SequenceReader } from './join-audio/sequence-reader.js';
import type { CalledAdapter, StreamAdapter } from './model-adapter.js';
import type { OpenedResponse, UnaryResponse } from './opened-response.js';
import { AUDIO_ENCODERS } from './tokens.js';
import { openWholeStream, WholeReader } from './whole-answer/whole-stream.js';

/** Concurrent upstream calls of one request: a long list must not displace other customers' requests. */
const MAX_PARALLEL_CALLS = 8;

/** Cancels the calls of one response, and receives their records and their meter. */
export interface ResponseContext {
  readonly signal: AbortSignal;
  /** Receives one record for each upstream call. */
  readonly attempts: UpstreamAttempt[];
  /** True: an upstream has the request. False: it rejected the request, and bills nothing. */
  onSent(wasSent: boolean): void;
  /** What the adapter changes in the request, for a response that fails too. */
  onChanges(changes: Changes | undefined): void;
  /** Receives the reader that meters the response from now on. Undefined: a retry follows, and the failed call is free. */
  onReader(reader: StreamReader | undefined): void;
  /** Receives what to call when the ticket has ended. */
  onPlanned(close: () => void): void;
}

type CallContext = ResponseContext &
  Pick<SyncTicket, 'accountId'> &
  Pick<UpstreamRequest, 'takeRoom'> & { readonly isTest: boolean };

/** Plans the upstream calls of a ticket and opens their one response. */
@Injectable()
export class ExecutePlan {
  constructor(
    private readonly upstream: CallWithFailover,
    private readonly interactionIds: InteractionIds,
    private readonly threads: RunInThread,
    private readonly room: ReplyRoom,
    @Inject(AUDIO_ENCODERS) private readonly audio: AudioEncoders,
  ) {}

  /**
   * Throws a GatewayError with the client's error, or the reason of the signal's abort. Once a response is open, nothing
   * holds the bytes of a long request.
   */
  async open(ticket: SyncTicket, body: Buffer, context: ResponseContext): Promise<OpenedResponse> {
    const { plan, release, close } = this.threads.isLong(ticket, body)
      ? await this.threads.plan(ticket, body)
      : this.#plan(ticket, body);
    const place = this.room.open(ticket.accountId);
    context.onPlanned(() => {
      close();
      place.release();
    });
    const calls = plan.kind === 'parallel' ? plan.adapters.length : 1;
    const call: CallContext = {
      ...context,
      accountId: ticket.accountId,
      isTest: ticket.isTest === true,
      takeRoom: (named) => place.take(named === undefined ? expectedBytes(calls) : named * calls, context.signal),
    };
    const opened = await this.#open(plan, call);
    if (opened.kind === 'unary') place.settle(opened.body.length);
    release();
    return opened;
  }

  #open(plan: CalledPlan, call: CallContext): Promise<OpenedResponse> {
    if (plan.kind === 'parallel') return this.#openParallel(plan, call);
    if (plan.kind === 'sequence') return this.#openSequence(plan, call);
    if (plan.kind === 'whole') return this.#openWhole(plan, call);
    return this.upstream.open({ ...call, adapter: plan });
  }

  #plan(ticket: SyncTicket, body: Buffer): Planned {
    return this.threads.withLongReplies(ticket, body, planExecution(ticket, body, this.interactionIds));
  }

  /** One failed call fails the request and cancels the others, unless the plan keeps what succeeds. */
  async #openParallel(plan: CalledParallel, { signal, ...call }: CallContext): Promise<OpenedResponse> {
    const siblings = new AbortController();
    const anySignal = AbortSignal.any([signal, siblings.signal]);
    const open = async (adapter: CalledAdapter): Promise<UnaryResponse> => {
      anySignal.throwIfAborted();
      const opened = await this.upstream.open({
        ...call,
        adapter,
        signal: anySignal,
        onReader: () => undefined,
        // One rejected call says nothing about the others.
        onSent: (wasSent) => wasSent && call.onSent(true),
      });
      if (opened.kind === 'stream') throw new Error('a parallel call must not return a stream');
      return opened;
    };
    try {
      const replies = await (plan.keepsPartial === true ? openSome(plan, open, signal) : openAll(plan, open));
      // All calls of one plan have the same fields, so the first one's changes are those of all.
      const changes = replies[0]?.changes;
      return { kind: 'unary', ...(await plan.merge(replies)), ...(changes !== undefined && { changes }) };
    } catch (error) {
      siblings.abort(error);
      throw error;
    }
  }

  async #openWhole(plan: CalledWhole, call: CallContext): Promise<OpenedResponse> {
    const reader = new WholeReader();
    call.onReader(reader);
    const onReader: CallContext['onReader'] = (failed) => call.onReader(failed ?? reader);
    const opening = this.upstream.open({ ...call, adapter: plan.adapter, onReader });
    // The stream may be left before its answer comes: its abort then rejects this.
    opening.catch(() => undefined);
    return openWholeStream(plan, opening, reader);
  }

  async #openSequence(plan: SequencePlan, call: CallContext): Promise<OpenedResponse> {
    const reader = new SequenceReader();
    call.onReader(reader);
    call.onChanges(plan.changes);
    const onChanges = (): void => undefined;
    const open = (adapter: StreamAdapter, index: number): Promise<OpenedResponse> =>
      this.upstream.open({ ...call, adapter, onChanges, onReader: (part) => reader.onPart(index, part) });
    const encoder = await this.audio.open(plan.audio.format, plan.audio.sampleRateHz);
    const remaining = joinAudio(plan.adapters, encoder, reader, open);
    const { done, value: firstBytes } = await remaining.next();
    if (done) throw new GatewayError('upstream_error', 'The upstream returned no audio.');
    const usage = reader.usage();
    // The upstream reports a text's full usage with its first audio bytes: for one part, that is the total.
    const isTotalKnown = plan.adapters.length === 1 && !usage.isEstimated;
    return {
      kind: 'stream',
      reader,
      firstBytes,
      remaining,
      contentType: plan.contentType,
      changes: plan.changes,
      release: () => undefined,
      ...(isTotalKnown && { totalUsage: usage }),
    };
  }
}

type Open = (adapter: CalledAdapter) => Promise<UnaryResponse>;

const openAll = ({ adapters }: CalledParallel, open: Open): Promise<UnaryResponse[]> =>
  pMap(adapters, open, { concurrency: MAX_PARALLEL_CALLS });

/** The replies that arrived. Throws the first error if none did, or the reason of the signal's abort. */
async function openSome(
  { adapters }: CalledParallel,
  open: Open,
  signal: AbortSignal,
): Promise<readonly UnaryResponse[]> {
  const failures: unknown[] = [];
  const replies = await pMap(
    adapters,
    (adapter) =>
      open(adapter).catch((error: unknown) => {
        failures.push(error);
        return undefined;
      }),
    { concurrency: MAX_PARALLEL_CALLS },
  );
  signal.throwIfAborted();
  const arrived = replies.filter((reply) => reply !== undefined);
  if (arrived.length === 0) throw failures[0];
  return arrived;
}
