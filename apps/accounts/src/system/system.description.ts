import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { jsonOrEvents, time } from '../http/answers.js';

const processRecord = z.object({
  id: z.string(),
  service: z.string(),
  host: z.string(),
  release: z.string().nullable(),
  started_at: time,
  reported_at: time,
});

const bytes = z.number();

/** Null: the store does not answer. */
const postgres = z
  .object({
    version: z.string(),
    started_at: time,
    size_bytes: bytes,
    connections: z.int(),
    max_connections: z.int(),
    latency_ms: z.number(),
    migrations: z.array(z.object({ name: z.string(), finished_at: time })).readonly(),
  })
  .nullable();

const redis = z
  .object({
    version: z.string(),
    started_at: time,
    masters: z.int(),
    used_bytes: bytes,
    limit_bytes: bytes.nullable(),
    eviction_policy: z.string(),
    latency_ms: z.number(),
  })
  .nullable();

const setting = z.object({ name: z.string(), value: z.string().nullable() });

const systemRecord = z
  .object({
    release: z.string(),
    node: z.string(),
    checked_at: time,
    processes: z.array(processRecord).readonly().meta({ description: 'Copies of the services that use Redis.' }),
    postgres,
    redis,
    queue_redis: redis.meta({ description: 'The same as `redis`, if one Redis holds both.' }),
    settings: z.array(setting).readonly().meta({ description: 'Settings of this service. A secret is never one.' }),
  })
  .meta({ id: 'System' });

export type SystemView = z.output<typeof systemRecord>;

export const SYSTEM = {
  id: 'operations.system',
  summary: 'Read versions, stores and settings',
  answers: { 200: jsonOrEvents('FollowedSystem', systemRecord) },
  examples: { now: {} },
} satisfies RouteDescription;
