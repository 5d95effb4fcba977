import type { RouteDescription } from '@gateway/api-description';
import { CHANNEL_STATES } from '@gateway/contracts';
import { z } from 'zod';
import { jsonOrEvents, pageOf, time } from '../http/answers.js';
import { oneLine } from '../http/fields.js';

const MAX_WEIGHT = 1_000;
const WEIGHT = `must be a number from 0 to ${MAX_WEIGHT}, or null for the configured weight`;

export const channelChange = z
  .strictObject({
    state: z.enum(CHANNEL_STATES).optional(),
    weight: z.number(WEIGHT).min(0, WEIGHT).max(MAX_WEIGHT, WEIGHT).nullable().optional(),
    reason: oneLine(500),
  })
  .refine(({ state, weight }) => state !== undefined || weight !== undefined, {
    path: ['state'],
    message: 'state or weight must be given',
  });

const state = z.enum(CHANNEL_STATES);
const count = z.int();
const latency = z.int().nullable();

const channelProcess = z.object({
  process_id: z.string(),
  service: z.string(),
  host: z.string(),
  state,
  weight: z.number(),
  in_flight: count,
  is_broken: z.boolean(),
  broken_accounts: count,
  cooldown_seconds: count,
  retry_tokens: count,
  reported_at: time,
});

export const channelRecord = z
  .object({
    id: z.string(),
    vendor: z.string().nullable(),
    is_test: z.boolean().nullable(),
    state,
    weight: z.number().nullable(),
    configured_weight: z.number().nullable(),
    is_applied: z.boolean(),
    health: z.enum(['healthy', 'degraded', 'down', 'unknown']),
    window_seconds: count,
    calls: count,
    failed_calls: count,
    errors: z.record(z.string(), count),
    latency_ms: z.object({ p50: latency, p95: latency }),
    in_flight: count,
    broken_in: count,
    broken_accounts: count,
    cooldown_seconds: count,
    model_cooldowns: z.array(z.object({ model: z.string(), cooldown_seconds: count })),
    retry_tokens: count,
    last_error: z.object({ code: z.string(), status: z.int().nullable(), at: time }).nullable(),
    change: z.object({ by: z.string(), at: time, reason: z.string() }).nullable(),
    processes: z.array(channelProcess),
  })
  .meta({ id: 'Channel' });

export type ChannelRecord = z.output<typeof channelRecord>;

export const CHANNELS = {
  list: {
    id: 'channels.list',
    summary: "List the vendors' channels over all workers",
    answers: { 200: jsonOrEvents('FollowedChannels', pageOf(channelRecord)) },
    examples: { all: {} },
  },
  show: {
    id: 'channels.get',
    summary: 'Show a channel',
    description: 'Latencies are upper bounds of their class. `is_applied`: every worker does what is set.',
    answers: { 200: channelRecord },
    examples: { one: { path: { id: '{channelId}' } } },
  },
  change: {
    id: 'channels.change',
    summary: 'Pause, drain or weigh a channel',
    description:
      'Workers follow within a second, and running calls end normally. `draining` takes only calls that are bound to the channel, such as those that continue a stored response, `paused` none. Without another channel of the vendor, both refuse new calls.',
    body: channelChange,
    answers: { 200: channelRecord },
    examples: {
      active: { path: { id: '{channelId}' }, body: { state: 'active', reason: 'The vendor answers again.' } },
    },
  },
} satisfies Record<string, RouteDescription>;
