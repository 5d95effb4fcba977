import type { CatalogueModel } from '@gateway/catalogue';
import type { Changes, SpeechFormat, SyncTicket } from '@gateway/contracts';
import type { UpstreamReply } from '@gateway/upstreams';
import type { CalledAdapter, ModelAdapter, StreamAdapter } from '../model-adapter.js';
import type { InteractionIds } from './images/interaction-ids.js';

/** Concurrent upstream calls whose replies become one response, such as a long list of embeddings. */
export interface ParallelPlan {
  readonly kind: 'parallel';
  /** Empty if the response needs no upstream call. A stream among them is collected. */
  readonly adapters: readonly ModelAdapter[];
  /** True: calls that succeed make the response without those that fail. False: one failed call fails the request. */
  readonly keepsPartial?: true;
  /** Receives the replies in the order of `adapters`. */
  merge(replies: readonly UpstreamReply[]): UpstreamReply;
}

/** Upstream calls one after the other whose samples become one audio stream, such as a long text read aloud. */
export interface SequencePlan {
  readonly kind: 'sequence';
  readonly adapters: readonly StreamAdapter[];
  readonly contentType: string;
  readonly audio: { readonly format: SpeechFormat; readonly sampleRateHz: number };
  readonly changes: Changes;
}

/** A stream for a client, made of one complete response: its model never streams. */
export interface WholePlan {
  readonly kind: 'whole';
  readonly adapter: ModelAdapter;
  readonly contentType: string;
  /** Sent while the model works, if not a comment of an event stream. */
  readonly progress?: string;
  /** The events of the client's stream. */
  toStream(body: Uint8Array): string;
}

/** The upstream calls that a ticket needs: one, or several that make one response. */
export type ExecutionPlan = ModelAdapter | ParallelPlan | SequencePlan | WholePlan;

/** Plans one endpoint's tickets. `body` is the client's body, which the edge has validated. */
export type Planner = (
  ticket: SyncTicket,
  model: CatalogueModel,
  body: Buffer,
  interactionIds: InteractionIds,
) => ExecutionPlan;

type Awaitable<Value> = Value | Promise<Value>;

export interface CalledParallel extends Omit<ParallelPlan, 'adapters' | 'merge'> {
  readonly adapters: readonly CalledAdapter[];
  merge(replies: readonly UpstreamReply[]): Awaitable<UpstreamReply>;
}

export interface CalledWhole extends Omit<WholePlan, 'adapter' | 'toStream'> {
  readonly adapter: CalledAdapter;
  toStream(body: Uint8Array): Awaitable<string | Uint8Array>;
}

/** A plan as it is executed: its functions may run in a thread. */
export type CalledPlan = CalledAdapter | CalledParallel | SequencePlan | CalledWhole;
