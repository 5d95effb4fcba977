import type { IncomingHttpHeaders } from 'node:http';
import type { Chunk } from '../completion/chunks.js';
import type { Completion } from '../completion/completion.js';
import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { RepeatCounter } from '../directives/repeat-counter.js';
import type { JournaledTask } from '../journal/journal.js';
import type { ResultStore } from '../results/result-store.js';
import type { TaskStores } from '../tasks/task-stores.js';
import type { InteractionStore } from './gemini/interaction-store.js';
import type { PromptCache } from './prompt-cache.js';

export type Headers = Readonly<Record<string, string>>;

/** One request as it came. `note` tells the journal what the persona learns, as early as it learns it. */
export interface IncomingRequest {
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly credential: string | undefined;
  readonly record: { model: string | null; upstreamId: string | null; task: JournaledTask | null };
}

/** What outlives a call. */
export interface Memory {
  readonly repeats: RepeatCounter;
  readonly promptCache: PromptCache;
  readonly results: ResultStore;
  readonly interactions: InteractionStore;
  readonly tasks: TaskStores;
}

/** Writes one answer as a vendor's stream. Frames are made as they are needed; the script keeps its own place. */
export interface StreamScript {
  /** Frames before the first chunk. */
  open(): string;
  /** The frames of one chunk. */
  chunk(chunk: Chunk): string;
  /** Frames after the last chunk: the vendor's end of answer and usage. */
  close(): string;
  /** The vendor's own way to say, under a status of 200, that it broke. */
  fail(): string;
}

/** An answer without a model behind it: a list, a count. */
export interface FixedReply {
  readonly kind: 'fixed';
  readonly headers: Headers;
  readonly body: string;
}

/** An answer of a model. */
export interface CompletionReply {
  readonly kind: 'completion';
  readonly directives: Directives;
  readonly completion: Completion;
  readonly isStream: boolean;
  /** The protocol sends the arguments of a tool call in one piece. */
  readonly sendsToolCallsWhole: boolean;
  readonly headers: Headers;
  /** The body of a plain answer. */
  whole(): string;
  openStream(): StreamScript;
}

/** One piece of a stream, and what the vendor bills a client that leaves after it. */
export interface ReplyFrame {
  readonly billed: InvoiceUsage | null;
  /** Made when it is sent: a picture is large. */
  text(): string;
}

/** An answer that is not text of a model: pictures, sound, vectors. */
export interface RenderedReply {
  readonly kind: 'rendered';
  readonly directives: Directives;
  readonly headers: Headers;
  /** 200 if absent. */
  readonly status?: number;
  /** What the vendor bills for the whole answer. */
  readonly usage: InvoiceUsage | null;
  /** The body of a plain answer. Called at most once, when it is sent: what it makes along the way was ordered then. */
  whole(): string | Buffer;
  /** Present if the answer is a stream. */
  readonly stream?: { readonly frames: readonly ReplyFrame[]; close(): string; fail(): string };
}

export type Reply = FixedReply | CompletionReply | RenderedReply;

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the vendor's prefix, in Fastify's notation. */
  readonly path: string;
  readonly protocol: string;
  /** Throws a Refusal for what the vendor refuses. */
  handle(incoming: IncomingRequest, memory: Memory): Reply;
  /** Where a path of the vendor says its errors in another way than the others. */
  readonly errors?: RouteErrors;
}

export type RouteErrors = Pick<VendorEmulator, 'errorOf' | 'checkCredential'>;

export interface ErrorSpec {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly message?: string | undefined;
}

/** One vendor. */
export interface VendorEmulator {
  readonly vendor: string;
  readonly routes: readonly Route[];
  credentialOf(headers: IncomingHttpHeaders, query: IncomingRequest['query']): string | undefined;
  /** Throws a Refusal if the vendor does not take this credential. */
  checkCredential(credential: string | undefined): void;
  /** The vendor's answer with that status, for faults and for the simulator's own complaints. */
  errorOf(errorSpec: ErrorSpec): Refusal;
  unknownRoute(method: string, path: string): Refusal;
}

/** The vendor's own no. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly headers: Headers = {},
  ) {
    super(`refused with ${status}`);
  }
}
