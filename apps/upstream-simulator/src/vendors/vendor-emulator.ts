import type { IncomingHttpHeaders } from 'node:http';
import type { Chunk } from '../completion/chunks.js';
import type { Completion } from '../completion/completion.js';
import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { RepeatCounter } from '../directives/repeat-counter.js';
import type { BilledApart, JournaledTask } from '../journal/journal.js';
import type { ResultStore } from '../results/result-store.js';
import type { TaskStores } from '../tasks/task-stores.js';
import type { InteractionStore } from './gemini/interaction-store.js';
import type { PromptCache } from './prompt-cache.js';
import type { VendorCalendar } from './vendor-calendar.js';

export type Headers = Readonly<Record<string, string>>;

/** One request. A vendor sets `record` as soon as it knows the model, id or task. */
export interface IncomingRequest {
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly credential: string | undefined;
  readonly record: {
    model: string | null;
    upstreamId: string | null;
    task: JournaledTask | null;
    apart: readonly BilledApart[];
    terms: Readonly<Record<string, string>>;
    tag: string | undefined;
  };
}

/** State that outlives a call. */
export interface Memory {
  readonly calendar: VendorCalendar;
  readonly repeats: RepeatCounter;
  readonly promptCache: PromptCache;
  readonly results: ResultStore;
  readonly interactions: InteractionStore;
  readonly tasks: TaskStores;
}

/** Encodes one completion as a vendor's stream; stateful. */
export interface StreamScript {
  open(): string;
  chunk(chunk: Chunk): string;
  /** The vendor's final frames, with usage. */
  close(): string;
  /** The vendor's error event, under a status of 200. */
  fail(): string;
}

/** A response without a model: a list, a count. */
export type FixedReply = Readonly<{ kind: 'fixed'; headers: Headers; body: string }>;

/** A model's text response. */
export interface CompletionReply {
  readonly kind: 'completion';
  readonly directives: Directives;
  readonly completion: Completion;
  readonly isStream: boolean;
  /** The protocol sends the arguments of a tool call in one chunk. */
  readonly sendsToolCallsWhole: boolean;
  readonly headers: Headers;
  whole(): string;
  openStream(): StreamScript;
}

/** One frame, and what the vendor bills a client that disconnects after it. */
export interface ReplyFrame {
  readonly billed: InvoiceUsage | null;
  /** Rendered on sending: an image is large. */
  text(): string;
}

/** A response that is not model text: images, speech, vectors, tasks. */
export interface RenderedReply {
  readonly kind: 'rendered';
  readonly directives: Directives;
  readonly headers: Headers;
  /** Default 200. */
  readonly status?: number;
  /** The bill for the whole response. */
  readonly usage: InvoiceUsage | null;
  /** The body without streaming. Called at most once, on sending: a task is created then. */
  whole(): string | Buffer;
  /** Present for a streamed response. */
  readonly stream?: { readonly frames: readonly ReplyFrame[]; close(): string; fail(): string };
}

export type Reply = FixedReply | CompletionReply | RenderedReply;

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the vendor's prefix; Fastify's syntax. */
  readonly path: string;
  readonly protocol: string;
  /** Throws a Refusal. */
  handle(incoming: IncomingRequest, memory: Memory): Reply;
  /** For a path with another error format than the rest. */
  readonly errors?: RouteErrors;
}

export type RouteErrors = Pick<VendorEmulator, 'errorOf' | 'checkCredential'>;

export interface ErrorSpec {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly message?: string | undefined;
}

/** One vendor: its routes, credentials and error format. */
export interface VendorEmulator {
  readonly vendor: string;
  readonly routes: readonly Route[];
  credentialOf(headers: IncomingHttpHeaders, query: IncomingRequest['query']): string | undefined;
  /** Throws a Refusal. */
  checkCredential(credential: string | undefined): void;
  /** The vendor's error of that status, for faults and the simulator's own errors. */
  errorOf(errorSpec: ErrorSpec): Refusal;
  unknownRoute(method: string, path: string): Refusal;
}

/** A vendor's error response. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly headers: Headers = {},
  ) {
    super(`refused with ${status}`);
  }
}
