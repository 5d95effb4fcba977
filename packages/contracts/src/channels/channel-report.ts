import { z } from 'zod';

/** `draining` takes only the calls that are bound to it; `paused` takes none. Running calls end normally. */
export const CHANNEL_STATES = ['active', 'draining', 'paused'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** What an administrator has set for a channel, in all processes. */
export const channelControl = z.object({
  channelId: z.string(),
  state: z.enum(CHANNEL_STATES),
  /** Null: the weight of the configuration. */
  weight: z.number().min(0).nullable(),
});
export type ChannelControl = z.output<typeof channelControl>;

/** Upper bounds of the latencies that a report counts, in milliseconds; the last count has no bound. */
export const LATENCY_BOUNDS_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000] as const;

/** One channel as one process sees it. Counts are of the last five minutes. */
export const channelReport = z.object({
  id: z.string(),
  vendor: z.string(),
  isTest: z.boolean(),
  state: z.enum(CHANNEL_STATES),
  weight: z.number(),
  configuredWeight: z.number(),
  inFlight: z.number(),
  /** True: no account may call, or none may call some model and no call has succeeded since. */
  isBroken: z.boolean(),
  /** Accounts whose own breaker is open. */
  brokenAccounts: z.number(),
  cooldownMs: z.number(),
  /** Models that no account may call: by a cooldown, or by a breaker. */
  modelCooldowns: z.array(z.object({ model: z.string(), cooldownMs: z.number() })),
  /** Retries that the vendor's budget still allows. */
  retryTokens: z.number(),
  calls: z.number(),
  /** Calls that failed, by the code of the error. */
  errors: z.record(z.string(), z.number()),
  /** Calls by the time until their response began or failed: one count for each bound, and one above. */
  latencies: z.array(z.number()),
  lastError: z.object({ code: z.string(), status: z.number().nullable(), atMs: z.number() }).nullable(),
});
export type ChannelReport = z.output<typeof channelReport>;

/** What a process reports every second. Only workers have channels and slots. */
export const processReport = z.object({
  processId: z.string(),
  service: z.string(),
  /** The version of its code. Absent: a release that did not report it. */
  release: z.string().optional(),
  host: z.string(),
  startedAtMs: z.number(),
  atMs: z.number(),
  channels: z.array(channelReport),
  /** Slots for requests of each vendor's queue. */
  slots: z.array(
    z.object({ kind: z.string(), vendor: z.string(), size: z.number(), active: z.number(), waiting: z.number() }),
  ),
});
export type ProcessReport = z.output<typeof processReport>;
