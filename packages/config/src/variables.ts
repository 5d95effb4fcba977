import { VENDORS } from '@gateway/contracts';
import { z } from 'zod';

/*
 * The kinds of variable that services share. Secrets have no defaults: an empty signing secret would let anybody in.
 */

const SECRET_MIN_LENGTH = 32;

export const secret = z
  .string({ error: 'must be set' })
  .min(SECRET_MIN_LENGTH, `must have at least ${SECRET_MIN_LENGTH} characters`);

/**
 * Comma-separated secrets: the first is the one that is used, all of them are believed. So one is changed while both
 * sides run: `old,new`, then `new,old`, then `new`, each rolled out everywhere before the next.
 */
export const secrets = z
  .string({ error: 'must be set' })
  .transform((list) => list.split(',').map((text) => text.trim()))
  .pipe(z.tuple([secret], secret));

export const port = z.coerce.number('must be a port').int().min(0).max(65_535);
export const milliseconds = z.coerce.number('must be milliseconds').int().min(1);
export const count = z.coerce.number('must be a whole number').int().min(1);

const urlOf = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` });

export const httpUrl = urlOf(/^https?$/, 'http://host:8080').transform((url) => url.replace(/\/+$/, ''));
export const relayUrl = urlOf(/^wss?$/, 'ws://host:8081/relay');

const CLUSTER = /^rediss?\+cluster:\/\/([^@]*@)?([^@/?#]+)\/?$/;

/** One server, or a cluster by some of its nodes, which an address as such cannot say: each of them is looked at alone. */
function isRedisUrl(text: string): boolean {
  const [, userInfo = '', nodes] = CLUSTER.exec(text) ?? [];
  if (nodes === undefined) return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
  return nodes
    .split(',')
    .every((node) => /^\s*\S+\s*$/.test(node) && URL.canParse(`redis://${userInfo}${node.trim()}`));
}

export const redisUrl = z
  .string({ error: 'must be set' })
  .refine(isRedisUrl, 'must be an address such as redis://host:6379, or redis+cluster://one:6379,another:6379');

export const postgresUrl = urlOf(/^postgres(ql)?$/, 'postgresql://user@host:5432/database');

/** A comma-separated list of vendors; all of them if it is not set. */
export const vendors = z
  .string()
  .default(VENDORS.join(','))
  .transform((list) => list.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(VENDORS)).min(1));

/** A variable that holds JSON. */
export const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** What every service has. */
export const commonVariables = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HOST: z.string().default('0.0.0.0'),
  PORT: port,
  SHUTDOWN_GRACE_MS: milliseconds.default(660_000),
};
