import { isGatewayError } from '@gateway/contracts';
import type { OpenedSession } from '@gateway/threads';
import { BilledFailure, type StreamReader, type UpstreamReply } from '@gateway/upstreams';
import type { ModelAdapter, UnaryAdapter } from '../../model-adapter.js';
import type { ExecutionPlan } from '../execution-plan.js';
import { InteractionIds } from '../images/interaction-ids.js';
import { planExecution } from '../plan-execution.js';
import { asBuffer, withBuffer } from './as-buffer.js';
import type {
  AdapterDescription,
  FailureRead,
  PlanDescription,
  ReaderReply,
  ReaderState,
  ReplyRead,
  ThreadCalls,
  ThreadedRequest,
} from './thread-calls.js';

/** The functions of `ThreadCalls`, in the thread. */
type Handlers = { readonly [Name in keyof ThreadCalls]: (input: ThreadCalls[Name]) => unknown };

/** Plans a request in the thread, and serves what its plan does. Throws as `planExecution` does. */
export function openThreadedPlan({ ticket, body, interactionSecrets }: ThreadedRequest): OpenedSession {
  const plan = planExecution(ticket, asBuffer(body), new InteractionIds(interactionSecrets));
  const threaded = new ThreadedPlan(plan);
  return { output: threaded.description, handlers: threaded.handlers };
}

/** An adapter is at an even place; the same without its reasoning follows it. */
const PLACES = 2;

class ThreadedPlan {
  readonly description: PlanDescription;
  readonly handlers: Handlers;
  readonly #adapters: (ModelAdapter | undefined)[] = [];
  /** They keep nothing of the request. */
  readonly #readers: StreamReader[] = [];
  #plan: ExecutionPlan | undefined;

  constructor(plan: ExecutionPlan) {
    this.#plan = plan;
    this.description = this.#describe(plan);
    this.handlers = {
      buildRequest: ({ at, target }) => {
        const { body, ...wire } = this.#at(at).buildRequest(target);
        return { ...wire, body: typeof body === 'string' ? Buffer.from(body) : body };
      },
      readReply: ({ at, body }) => readReply(this.#unary(at), asBuffer(body)),
      readFailure: ({ at, ...failure }): FailureRead => {
        const { error, ...read } = this.#at(at).readFailure({ ...failure, body: asBuffer(failure.body) });
        return { ...read, error: error.toRecord() };
      },
      finishReply: ({ at, channelId, ...reply }) =>
        this.#unary(at).finishReply?.(withBuffer(reply), channelId) ?? reply,
      completeReply: ({ at, results, ...reply }) => completeReply(this.#unary(at), withBuffer(reply), results),
      openReader: ({ at }) => this.#openReader(at),
      read: ({ reader, bytes }) => this.#read(reader, (open) => open.read(asBuffer(bytes))),
      end: ({ reader }) => this.#read(reader, (open) => open.end()),
      merge: ({ replies }) => (this.#plan?.kind === 'parallel' ? this.#plan.merge(replies.map(withBuffer)) : undefined),
      toStream: ({ body }) => ({
        body: this.#plan?.kind === 'whole' ? Buffer.from(this.#plan.toStream(asBuffer(body))) : undefined,
      }),
      release: () => {
        this.#plan = undefined;
        this.#adapters.length = 0;
      },
    };
  }

  #describe(plan: ExecutionPlan): PlanDescription {
    switch (plan.kind) {
      case 'parallel':
        return {
          kind: 'parallel',
          adapters: plan.adapters.map((adapter) => this.#add(adapter)),
          keepsPartial: plan.keepsPartial === true,
        };
      case 'whole': {
        const { contentType, progress } = plan;
        const adapter = this.#add(plan.adapter);
        return { kind: 'whole', adapter, contentType, ...(progress !== undefined && { progress }) };
      }
      case 'sequence':
        throw new Error('a sequence of calls does not run in a thread');
      default:
        return { kind: 'one', adapter: this.#add(plan) };
    }
  }

  #add(adapter: ModelAdapter): AdapterDescription {
    const at = this.#adapters.length;
    this.#adapters.push(adapter, undefined);
    const without = adapter.withoutReasoning?.();
    if (without === undefined) return describe(adapter, at);
    this.#adapters[at + PLACES - 1] = without;
    return { ...describe(adapter, at), withoutReasoning: describe(without, at + PLACES - 1) };
  }

  #at(at: number): ModelAdapter {
    const adapter = this.#adapters[at];
    if (adapter === undefined) throw new Error(`no adapter at ${at}`);
    return adapter;
  }

  #unary(at: number): UnaryAdapter {
    const adapter = this.#at(at);
    if (adapter.kind !== 'unary') throw new Error(`the adapter at ${at} streams`);
    return adapter;
  }

  #openReader(at: number): { readonly reader: number; readonly state: ReaderState } {
    const adapter = this.#at(at);
    if (adapter.kind !== 'stream') throw new Error(`the adapter at ${at} does not stream`);
    const reader = adapter.openReader();
    return { reader: this.#readers.push(reader) - 1, state: stateOf(reader) };
  }

  #read(at: number, read: (reader: StreamReader) => Uint8Array): ReaderReply {
    const reader = this.#readers[at];
    if (reader === undefined) throw new Error(`no reader at ${at}`);
    try {
      const bytes = read(reader);
      return { bytes, state: stateOf(reader) };
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      return { failed: error.toRecord(), state: stateOf(reader) };
    }
  }
}

function describe(adapter: ModelAdapter, at: number): AdapterDescription {
  const { vendor, publicModel, servedBy, upstreamModel, requiredChannel } = adapter;
  return {
    at,
    identity: { vendor, publicModel, upstreamModel, ...(servedBy !== undefined && { servedBy }) },
    ...(requiredChannel !== undefined && {
      requiredChannel: { channelId: requiredChannel.channelId, whenGone: requiredChannel.whenGone().toRecord() },
    }),
    form: formOf(adapter),
  };
}

function formOf(adapter: ModelAdapter): AdapterDescription['form'] {
  if (adapter.kind === 'unary') {
    const { responseLimitBytes } = adapter;
    return {
      kind: 'unary',
      completesReply: adapter.completeReply !== undefined,
      finishesReply: adapter.finishReply !== undefined,
      ...(responseLimitBytes !== undefined && { responseLimitBytes }),
    };
  }
  const { isCollected, contentType, collectedType } = adapter;
  return { kind: 'stream', isCollected, contentType, ...(collectedType !== undefined && { collectedType }) };
}

function readReply(adapter: UnaryAdapter, body: Uint8Array): ReplyRead {
  try {
    return adapter.readReply(body);
  } catch (error) {
    if (!(error instanceof BilledFailure)) throw error;
    return { billed: error.usage, error: error.toRecord() };
  }
}

/** The reply, or the addresses of the results that it needs. */
async function completeReply(
  adapter: UnaryAdapter,
  reply: UpstreamReply,
  results: ReadonlyMap<string, Uint8Array | undefined> | undefined,
): Promise<UpstreamReply | readonly string[]> {
  const wanted: string[] = [];
  const completed = await adapter.completeReply?.(reply, async (url) => {
    wanted.push(url);
    const bytes = results?.get(url);
    return bytes === undefined ? undefined : asBuffer(bytes);
  });
  return results === undefined ? wanted : (completed ?? reply);
}

const stateOf = (reader: StreamReader): ReaderState => ({
  usage: reader.usage(),
  isFinal: reader.isFinal,
  isBilledFailure: reader.isBilledFailure === true,
  upstreamId: reader.upstreamId,
});
