import { z } from 'zod';

/** One queue for each upstream vendor: a vendor that is slow fills its own queue only, and scales on its own. */
export const VENDORS = ['openai', 'anthropic', 'gemini', 'dashscope', 'voyage', 'ark', 'xai'] as const;
export type Vendor = (typeof VENDORS)[number];

/** The name of the BullMQ queue that carries a vendor's synchronous requests. */
export const syncQueueName = (vendor: Vendor): string => `sync-${vendor}`;

/** The queue on which the same tickets ask for videos. */
export const videoQueueName = (vendor: Vendor): string => `video-submit-${vendor}`;

/** The queue of the alarms that say when a vendor's video tasks are to be asked for. */
export const videoPollQueueName = (vendor: Vendor): string => `video-poll-${vendor}`;

const unitPrices = z.record(z.string(), z.string());

/**
 * A claim ticket for one synchronous request. It holds no prompt: the worker that takes it connects to the edge
 * at `replyTo`, claims the request with `claimToken` and is given the body there. Who loses that claim does nothing.
 */
export const syncTicket = z.object({
  schemaVersion: z.literal(1),
  requestId: z.string(),
  accountId: z.string(),
  keyId: z.string(),
  endpoint: z.string(),
  /** The public model id; the worker finds protocol and upstream name in the catalogue. */
  model: z.string(),
  /** The price frozen at admission. */
  price: z.object({
    version: z.string(),
    perMillion: unitPrices,
    longPrompt: z.object({ aboveInputTokens: z.number(), perMillion: unitPrices }).optional(),
  }),
  /** Nano-USD held, as digits. */
  holdNanoUsd: z.string(),
  /** Unix milliseconds after which no upstream call may start. */
  deadlineMs: z.number(),
  admittedAtMs: z.number(),
  /** `ws://host:port/relay` of the edge that waits. */
  replyTo: z.string(),
  /** 128 random bits, hex: proves to the edge that a worker was given this ticket. */
  claimToken: z.string(),
  /** Of a test key: only a simulator may answer it, and it costs nothing. */
  isTest: z.literal(true).optional(),
  traceparent: z.string().optional(),
  /** What of the client's own request goes on to an upstream of the same protocol, by an allow-list of its endpoint. */
  forward: z
    .object({
      headers: z.record(z.string(), z.string()),
      /** With its question mark; empty if there was none. */
      query: z.string(),
    })
    .optional(),
});

export type SyncTicket = z.infer<typeof syncTicket>;
export type ForwardedRequest = NonNullable<SyncTicket['forward']>;
