import { GatewayError, type SyncTicket } from '@gateway/contracts';
import { ownBytes, type SessionThreads, type ThreadSession } from '@gateway/threads';
import type { UpstreamReply } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { CalledUnary, ModelAdapter } from '../../model-adapter.js';
import { THREADS, WORKER_CONFIG, type WorkerConfig } from '../../tokens.js';
import type { CalledPlan, ExecutionPlan } from '../execution-plan.js';
import { withBuffer } from './as-buffer.js';
import type { PlanDescription } from './thread-calls.js';
import { type CallThread, completeReply, readReply, threadedAdapter } from './threaded-adapter.js';

/** A megabyte is parsed or written within a few milliseconds. */
const LONG_BYTES = 1024 * 1024;

/** One ticket's plan. */
export interface Planned {
  readonly plan: CalledPlan;
  /** Frees the request of a response that is open: no retry needs it, and a slow stream lasts for minutes. */
  readonly release: () => void;
  /** Frees the thread's part. Call it once the response has ended. */
  readonly close: () => void;
}

/** Runs long requests and reads long responses in a thread, so that no other request of this worker waits for them. */
@Injectable()
export class RunInThread {
  constructor(
    @Inject(THREADS) private readonly threads: Pick<SessionThreads, 'open'>,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'interactionSecrets'>,
  ) {}

  /** True if the request itself is long. Speech is a sequence of short calls. */
  isLong({ endpoint }: SyncTicket, body: Buffer): boolean {
    return body.length > LONG_BYTES && endpoint !== 'audio.speech';
  }

  /** Plans a long request. `body` is empty afterwards. Throws as `planExecution` does, and 503 if the thread failed. */
  async plan(ticket: SyncTicket, body: Buffer): Promise<Planned> {
    const { output, session } = await this.#open(ticket, ownBytes(body));
    const release = (): void => {
      // The events of a whole answer are made by its plan, and its upstream may still be called.
      if (output.kind === 'whole') return;
      // A thread that has failed keeps nothing. Its next call reports it.
      session.call('release', {}).catch(() => undefined);
    };
    return { plan: threadedPlan(output, session), release, close: () => session.close() };
  }

  /** A plan of a short request, whose long responses are read in a thread. */
  withLongReplies(ticket: SyncTicket, body: Buffer, plan: ExecutionPlan): Planned {
    if (plan.kind !== 'unary' && plan.kind !== 'parallel') return { plan, release: keep, close: () => undefined };
    let opened: Promise<ThreadSession> | undefined;
    let isClosed = false;
    const call: CallThread = async (name, input, moved) => {
      // A call that runs beside one that has failed.
      if (isClosed) throw new GatewayError('service_unavailable', 'The request has ended.');
      opened ??= this.#open(ticket, new Uint8Array(body)).then(({ session }) => session);
      return (await opened).call(name, input, moved);
    };
    const close = (): void => {
      isClosed = true;
      void opened?.then(
        (session) => session.close(),
        () => undefined,
      );
    };
    if (plan.kind === 'unary') return { plan: readingLong(plan, 0, call), release: keep, close };
    const adapters = plan.adapters.map((adapter, at) => longAdapter(adapter, 2 * at, call));
    return { plan: { ...plan, adapters, merge: (replies) => mergeLong(plan, replies, call) }, release: keep, close };
  }

  #open(ticket: SyncTicket, body: Uint8Array<ArrayBuffer>) {
    const { interactionSecrets } = this.config;
    return this.threads.open<PlanDescription>({ ticket, body, interactionSecrets }, [body.buffer]);
  }
}

/** A short request may stay. */
const keep = (): void => undefined;

function threadedPlan(description: PlanDescription, session: ThreadSession): CalledPlan {
  switch (description.kind) {
    case 'one':
      return threadedAdapter(description.adapter, session);
    case 'parallel':
      return {
        kind: 'parallel',
        adapters: description.adapters.map((adapter) => threadedAdapter(adapter, session)),
        merge: (replies) => merge(replies, (name, input, moved) => session.call(name, input, moved)),
        ...(description.keepsPartial && { keepsPartial: true }),
      };
    default: {
      const { adapter, kind: _kind, ...form } = description;
      return {
        kind: 'whole',
        adapter: threadedAdapter(adapter, session),
        ...form,
        toStream: async (body) => (await session.call<{ body: Uint8Array }>('toStream', { body })).body,
      };
    }
  }
}

const longAdapter = (adapter: ModelAdapter, at: number, call: CallThread) =>
  adapter.kind === 'unary' ? readingLong(adapter, at, call) : adapter;

function readingLong(
  adapter: Extract<ModelAdapter, { readonly kind: 'unary' }>,
  at: number,
  call: CallThread,
): CalledUnary {
  return {
    ...adapter,
    readReply: (body) => (body.length > LONG_BYTES ? readReply(at, body, call) : adapter.readReply(body)),
    // A reply is completed with images, which are long.
    ...(adapter.completeReply !== undefined && {
      completeReply: (reply, download) => completeReply(at, reply, download, call),
    }),
  };
}

const mergeLong = (
  plan: Extract<ExecutionPlan, { readonly kind: 'parallel' }>,
  replies: readonly UpstreamReply[],
  call: CallThread,
): UpstreamReply | Promise<UpstreamReply> =>
  replies.reduce((bytes, { body }) => bytes + body.length, 0) > LONG_BYTES ? merge(replies, call) : plan.merge(replies);

/** The bodies of the replies are empty afterwards. */
async function merge(replies: readonly UpstreamReply[], call: CallThread): Promise<UpstreamReply> {
  const own = replies.map(({ body, ...reply }) => ({ ...reply, body: ownBytes(body) }));
  const memory = own.map(({ body }) => body.buffer);
  return withBuffer(await call<'merge', UpstreamReply>('merge', { replies: own }, memory));
}
