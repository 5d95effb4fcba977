import type { z } from 'zod';
import { redisUrl } from './variables.js';

/** Money and limits are in one Redis, since one script decides on them. The queues may be in another one. */
export const redisVariables = {
  REDIS_URL: redisUrl,
  /** Where the queues are; the same Redis if it is not set. */
  QUEUE_REDIS_URL: redisUrl.optional(),
};

type RedisVariables = z.output<z.ZodObject<typeof redisVariables>>;

export const readRedis = (variables: RedisVariables) => ({
  redisUrl: variables.REDIS_URL,
  queueRedisUrl: variables.QUEUE_REDIS_URL ?? variables.REDIS_URL,
});
