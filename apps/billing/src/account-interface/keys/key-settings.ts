import { isIP } from 'node:net';
import { findModel } from '@gateway/catalogue';
import { ENDPOINTS, type Endpoint, truncateForError } from '@gateway/contracts';
import { z } from 'zod';
import { instant, oneLine, usd } from '../../http/fields.js';

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) is a word of one machine: here it would be left out, and more let in than was meant.
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= ADDRESS_BITS[family as 4 | 6]);
}

/** A model's public id, also where the client wrote an alias. */
const model = z.string().transform((name, context) => {
  const found = findModel(name);
  if (found !== undefined) return found.id;
  context.addIssue({ code: 'custom', message: `there is no model ${JSON.stringify(truncateForError(name))}` });
  return z.NEVER;
});

/** An endpoint's name, also where the client wrote its path. */
const endpoint = z.string().transform((name, context) => {
  const found = Object.entries(ENDPOINTS).find(([id, { path }]) => id === name || path === name);
  if (found !== undefined) return found[0] as Endpoint;
  context.addIssue({ code: 'custom', message: `must be one of ${Object.keys(ENDPOINTS).join(', ')}` });
  return z.NEVER;
});

const list = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(100).nullable();

/** What a key's owner may decide. Null takes a limit away. */
const settings = {
  name: oneLine(100),
  models: list(model),
  endpoints: list(endpoint),
  rpm: z.int().min(0).max(1_000_000).nullable(),
  concurrency: z.int().min(0).max(1_000_000).nullable(),
  spend_cap_usd: usd.refine((amount) => amount >= 0n, 'must not be below zero').nullable(),
  expires_at: instant.refine((time) => time.getTime() > Date.now(), 'must be in the future').nullable(),
  allowed_ips: list(z.string().refine(isAddressOrBlock, 'must be an IP address or a CIDR block')),
};

export const newKey = z.strictObject({
  ...z.object(settings).partial().shape,
  name: settings.name,
  /** A key that only the simulator answers, at no cost. What a key is made as, it stays. */
  test: z.boolean().default(false),
});
export const keyChange = z.strictObject(z.object(settings).partial().shape);

const MAX_GRACE_SECONDS = 30 * 24 * 60 * 60;
export const rotation = z.strictObject({ grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0) });

type Given = z.output<typeof keyChange>;

/** What was given, in the words of the store; what was not given is not in it. */
export const asChange = (given: Given) => ({
  ...(given.name === undefined ? {} : { name: given.name }),
  ...(given.models === undefined ? {} : { models: [...new Set(given.models ?? [])] }),
  ...(given.endpoints === undefined ? {} : { endpoints: [...new Set<string>(given.endpoints ?? [])] }),
  ...(given.rpm === undefined ? {} : { requestsPerMinute: given.rpm }),
  ...(given.concurrency === undefined ? {} : { concurrency: given.concurrency }),
  ...(given.spend_cap_usd === undefined ? {} : { spendCapNanoUsd: given.spend_cap_usd }),
  ...(given.expires_at === undefined ? {} : { expiresAt: given.expires_at }),
  ...(given.allowed_ips === undefined ? {} : { allowedIps: given.allowed_ips ?? [] }),
});

export const asSettings = (given: Omit<z.output<typeof newKey>, 'test'>) => ({
  models: [],
  endpoints: [],
  allowedIps: [],
  requestsPerMinute: null,
  concurrency: null,
  spendCapNanoUsd: null,
  expiresAt: null,
  ...asChange(given),
  name: given.name,
});
