import { VENDORS } from '@gateway/contracts';
import { z } from 'zod';

/*
 * The kinds of variable that services share. Secrets have no defaults: an empty signing secret would let anybody in.
 */

/** What stands between the commas; a gap among them is an entry too, which the kind of variable refuses or leaves out. */
const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim());

/** A comma-separated list. Gaps in it are left out. */
export const list = z.string().transform((text) => entriesOf(text).filter((entry) => entry !== ''));

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
  .transform(entriesOf)
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

/** A comma-separated list of some of these words; all of them if it is not set. */
export const subsetOf = <const Words extends readonly string[]>(words: Words) =>
  z
    .string()
    .default(words.join(','))
    .transform(entriesOf)
    .pipe(z.array(z.enum(words)).min(1));

export const vendors = subsetOf(VENDORS);

const ADDRESS_OR_BLOCK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/** Whoever trusts everybody believes what clients write themselves. */
const isProxy = (entry: string): boolean => ADDRESS_OR_BLOCK.safeParse(entry).success && !entry.endsWith('/0');

/** Addresses or CIDR blocks of the proxies before a service whose `x-forwarded-for` is believed; nobody's if not set. */
export const trustedProxies = list
  .refine(
    (entries) => entries.every(isProxy),
    'must be addresses or CIDR blocks such as 10.0.0.0/8,::1, not all there are',
  )
  .optional();

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

type CommonVariables = z.output<z.ZodObject<typeof commonVariables>>;

/** What every service has, by the names that code uses. */
export const readCommon = (variables: CommonVariables) => ({
  nodeEnv: variables.NODE_ENV,
  logLevel: variables.LOG_LEVEL,
  host: variables.HOST,
  port: variables.PORT,
  shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
});

const isUnset = (value: unknown): boolean =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** A variable for development and tests. Looked at also where others are wrong: whoever reads the message sees all of it. */
export const forbidInProduction = <Name extends string>(name: Name) =>
  z.refine<{ readonly NODE_ENV: string } & { readonly [variable in Name]?: unknown }>(
    (variables) => variables.NODE_ENV !== 'production' || isUnset(variables[name]),
    { path: [name], error: 'must not be set in production', when: () => true },
  );
