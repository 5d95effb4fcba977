import { z } from 'zod';
import { changes } from '../api/changes.js';
import { ABORT_CONTRACTS } from '../usage/abort-contract.js';

/** Each vendor has separate queues, so that a slow vendor delays no other one. */
export const VENDORS = ['openai', 'anthropic', 'gemini', 'dashscope', 'voyage', 'ark', 'xai'] as const;
export type Vendor = (typeof VENDORS)[number];

/**
 * `sync`: requests whose client waits for the response. `video`: tasks to be submitted. The tickets of test keys have queues
 * of their own, so that free requests never wait before paid ones.
 */
export const TICKET_QUEUE_KINDS = ['sync', 'video', 'sync-test', 'video-test'] as const;
export type TicketQueueKind = (typeof TICKET_QUEUE_KINDS)[number];

const QUEUE_PREFIXES: Readonly<Record<TicketQueueKind, string>> = {
  sync: 'sync',
  video: 'video-submit',
  'sync-test': 'test-sync',
  'video-test': 'test-video-submit',
};

/** BullMQ queue of a vendor's tickets. */
export const ticketQueueName = (kind: TicketQueueKind, vendor: Vendor): string => `${QUEUE_PREFIXES[kind]}-${vendor}`;

/** BullMQ queue of the delayed jobs that poll a vendor's video tasks. */
export const videoPollQueueName = (vendor: Vendor): string => `video-poll-${vendor}`;

/** `replyTo` of a ticket whose request is kept: no edge has it, and it survives every process. */
export const STORE_ORIGIN = 'store:';

const unitPrices = z.record(z.string(), z.string());

/**
 * The queue's ticket of one request. It holds no prompt: a worker connects to the edge at `replyTo`, claims the request
 * with `claimToken`, and receives the body there. A worker whose claim is denied does nothing.
 */
export const syncTicket = z.object({
  schemaVersion: z.literal(1),
  requestId: z.string(),
  accountId: z.string(),
  keyId: z.string(),
  endpoint: z.string(),
  /** The public model id; the catalogue maps it to protocol and upstream name. */
  model: z.string(),
  /** The price frozen at admission: decimal USD per million of each unit. */
  price: z.object({
    version: z.string(),
    perMillion: unitPrices,
    longPrompt: z.object({ aboveInputTokens: z.number(), perMillion: unitPrices }).optional(),
  }),
  /** Nano-USD held, as digits. */
  holdNanoUsd: z.string(),
  /** The output cap in tokens that the hold pays for. Present only if the client set none. */
  outputCap: z.int().min(1).optional(),
  /** Unix milliseconds until which the upstream's response must have begun. */
  deadlineMs: z.number(),
  admittedAtMs: z.number(),
  /** `ws://host:port/relay` of the edge that holds the client's connection, or `STORE_ORIGIN`. */
  replyTo: z.string(),
  /** 128 random bits as hex: proves to the edge that the worker received this ticket. */
  claimToken: z.string(),
  /** What happens when the client leaves. An edge of an older release sends none: the call is cancelled. */
  abortContract: z.enum(ABORT_CONTRACTS).optional(),
  /** The prompt that the hold covers, for a request that completes: charged if its response is lost after its client left. */
  heldInput: z.object({ units: z.record(z.string(), z.number()), inputTokensTotal: z.number() }).optional(),
  /** Present for a test key: only a simulator serves it, at no cost. */
  isTest: z.literal(true).optional(),
  /** Present for a line of a batch: requests whose clients wait come first, and its end is no event of its own. */
  isOfBatch: z.literal(true).optional(),
  /** Present for a request with an idempotency key. */
  idempotencyHash: z.string().optional(),
  /** The client's `Idempotency-Key`, for the receipt. */
  idempotencyKey: z.string().optional(),
  /** What the edge changed in the client's request. */
  changes: changes.optional(),
  queuedAtMs: z.number().optional(),
  /** Where the body of a kept request waits. An edge of an older release says nothing, and looks for every response in the store. */
  bodyIn: z.enum(['row', 'store']).optional(),
  /** Present for a kept request whose client waits: the name of its edge, which is sent the end. */
  awaitedBy: z.string().optional(),
  /** Present for a stream that waits in the store: a reader may attach to it. */
  isStream: z.literal(true).optional(),
  traceparent: z.string().optional(),
  /** Present for a body above 1 MiB: a worker of videos makes room before its claim. An edge of an older release says nothing. */
  bodyBytes: z.int().min(1).optional(),
  /** Parts of the client's HTTP request for an upstream of the same protocol, by the endpoint's allow-list. */
  forward: z
    .object({
      headers: z.record(z.string(), z.string()),
      /** The query with its question mark; empty if there was none. */
      query: z.string(),
    })
    .optional(),
});

export type SyncTicket = z.infer<typeof syncTicket>;
export type ForwardedRequest = NonNullable<SyncTicket['forward']>;
