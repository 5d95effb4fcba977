import { VENDORS } from '@gateway/contracts';
import { z } from 'zod';

/*
 * The types of variables that services share. A secret has no default: an empty signing secret would admit every caller.
 */

/** Splits at commas. Leaves empty entries to the caller, which rejects or removes them. */
const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim());

/** A comma-separated list. Empty entries are removed. */
export const list = z.string().transform((text) => entriesOf(text).filter((entry) => entry !== ''));

const SECRET_MIN_LENGTH = 32;

export const secret = z
  .string({ error: 'must be set' })
  .min(SECRET_MIN_LENGTH, `must have at least ${SECRET_MIN_LENGTH} characters`);

/**
 * Comma-separated secrets: a service sends the first and accepts all. A rotation without downtime has three rollouts:
 * `old,new`, then `new,old`, then `new`. Each must reach every service before the next.
 */
export const secrets = z
  .string({ error: 'must be set' })
  .transform(entriesOf)
  .pipe(z.tuple([secret], secret));

const wholeNumber = (expected: string, min = 1, max = Number.MAX_SAFE_INTEGER) => {
  const message = `must be ${expected}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};

export const port = wholeNumber('a port from 0 to 65535', 0, 65_535);
/** Node runs a timer that is longer at once: a deadline of 25 days would end each request as it begins. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
export const milliseconds = wholeNumber(
  `milliseconds, a whole number from 1 to ${LONGEST_TIMER_MS}`,
  1,
  LONGEST_TIMER_MS,
);
/** A time that no timer waits for. */
export const longMilliseconds = wholeNumber('milliseconds, a whole number from 1');
export const count = wholeNumber('a whole number from 1');

const urlOf = (protocol: RegExp, example: string) => z.url({ protocol, error: `must be a URL such as ${example}` });

export const httpUrl = urlOf(/^https?$/, 'http://host:8080').transform((url) => url.replace(/\/+$/, ''));
export const relayUrl = urlOf(/^wss?$/, 'ws://host:8081/relay');

const CLUSTER = /^rediss?\+cluster:\/\/([^@]*@)?([^@/?#]+)\/?$/;

/** A single server, or a cluster by some of its nodes. A URL cannot list hosts, so each node is checked alone. */
function isRedisUrl(text: string): boolean {
  const [, userInfo = '', nodes] = CLUSTER.exec(text) ?? [];
  if (nodes === undefined) return URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
  return nodes
    .split(',')
    .every((node) => /^\s*\S+\s*$/.test(node) && URL.canParse(`redis://${userInfo}${node.trim()}`));
}

export const redisUrl = z
  .string({ error: 'must be set' })
  .refine(isRedisUrl, 'must be a URL such as redis://host:6379, or redis+cluster://one:6379,another:6379');

export const postgresUrl = urlOf(/^postgres(ql)?$/, 'postgresql://user@host:5432/database');

/** A comma-separated subset of these words. Default: all of them. */
export const subsetOf = <const Words extends readonly string[]>(words: Words) =>
  z
    .string()
    .default(words.join(','))
    .transform(entriesOf)
    .pipe(z.array(z.enum(words)).min(1));

export const vendors = subsetOf(VENDORS);

/** A day of the calendar, such as that whose models the simulated vendors serve. */
export const day = z.iso.date('must be a date such as 2026-12-01');

/** The day whose catalogue is served, to rehearse a retirement; Unix milliseconds. Default: today. */
export const catalogueAt = day.optional().transform((date) => (date === undefined ? undefined : Date.parse(date)));

export const bool = z.stringbool('must be true or false');

/** True: customers pay for seconds of input videos, where the catalogue has a price for them. */
export const chargeInputSeconds = bool.default(false);

const ADDRESS_OR_BLOCK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** A block of all addresses would trust the header of any client. */
const isProxy = (entry: string): boolean => ADDRESS_OR_BLOCK.safeParse(entry).success && !entry.endsWith('/0');

/** Addresses or CIDR blocks of proxies whose `x-forwarded-for` the service trusts. Default: no proxy. */
export const trustedProxies = list
  .refine(
    (entries) => entries.every(isProxy),
    'must be addresses or CIDR blocks such as 10.0.0.0/8,::1, but not all addresses',
  )
  .optional();

/** A variable with JSON. */
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

/** The variables of every service. */
export const commonVariables = {
  /** A process that was started without it must not be lax. `npm start` and the tests set it. */
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HOST: z.string().default('0.0.0.0'),
  PORT: port,
  SHUTDOWN_GRACE_MS: milliseconds.default(660_000),
};

/** The variables of services with a public port. */
export const operatorVariables = {
  /** Serves metrics, administration and internal routes. Default, in development only: `PORT` serves them too. */
  OPS_PORT: port.optional(),
};

/** In production these routes must not depend on a proxy's rules. */
export const requireOperatorPort = z.refine<{ readonly NODE_ENV: string; readonly OPS_PORT?: number | undefined }>(
  (variables) => variables.NODE_ENV !== 'production' || variables.OPS_PORT !== undefined,
  { path: ['OPS_PORT'], error: 'must be set in production', when: () => true },
);

type CommonVariables = z.output<z.ZodObject<typeof commonVariables>>;

/** The settings of every service. */
export const readCommon = (variables: CommonVariables) => ({
  nodeEnv: variables.NODE_ENV,
  logLevel: variables.LOG_LEVEL,
  host: variables.HOST,
  port: variables.PORT,
  shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
});

const isUnset = (value: unknown): boolean =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** A variable for development and tests only. `when` checks it even if other variables are invalid, so that one message lists all. */
export const forbidInProduction = <Name extends string>(name: Name) =>
  z.refine<{ readonly NODE_ENV: string } & { readonly [variable in Name]?: unknown }>(
    (variables) => variables.NODE_ENV !== 'production' || isUnset(variables[name]),
    { path: [name], error: 'must not be set in production', when: () => true },
  );
