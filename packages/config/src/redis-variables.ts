import type { z } from 'zod';
import { redisUrl } from './variables.js';

/** Money and limits share a Redis, because one script decides on both. The queues may be in another one. */
export const redisVariables = {
  REDIS_URL: redisUrl,
  /** The Redis of the queues. Default: `REDIS_URL`. */
  QUEUE_REDIS_URL: redisUrl.optional(),
};

type RedisVariables = z.output<z.ZodObject<typeof redisVariables>>;

export const readRedis = (variables: RedisVariables) => ({
  redisUrl: variables.REDIS_URL,
  queueRedisUrl: variables.QUEUE_REDIS_URL ?? variables.REDIS_URL,
});
