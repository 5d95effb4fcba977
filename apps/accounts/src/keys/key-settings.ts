import { isIP } from 'node:net';
import { findModel } from '@gateway/catalogue';
import { accessEndpointOf, ENDPOINTS, type Endpoint, KEY_SCOPES, truncateForError } from '@gateway/contracts';
import { z } from 'zod';
import { caps } from '../http/caps.js';
import { instant, oneLine, text, usd } from '../http/fields.js';

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...extra] = text.split('/');
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) names an interface of one machine. Without it the block would admit more than was meant.
  if (family === 0 || address.includes('%') || extra.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= ADDRESS_BITS[family as 4 | 6]);
}

/** A model by its public id or an alias; the output is the id. */
const model = z.string().transform((name, context) => {
  const found = findModel(name);
  if (found !== undefined) return found.id;
  context.addIssue({ code: 'custom', message: `must be a model, but is ${JSON.stringify(truncateForError(name))}` });
  return z.NEVER;
});

/** An endpoint by its name or its path; the output is the name of the one whose right it needs. */
const endpoint = z.string().transform((name, context) => {
  const found = Object.entries(ENDPOINTS).find(([id, { path }]) => id === name || path === name);
  if (found !== undefined) return accessEndpointOf(found[0] as Endpoint);
  context.addIssue({ code: 'custom', message: `must be one of ${Object.keys(ENDPOINTS).join(', ')}` });
  return z.NEVER;
});

const list = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(100).nullable();

/** A key can only lower the limits of its account, so nothing means "unlimited" here. */
const ownLimit = z.int().min(1, "must be at least 1; null leaves the account's limit").max(1_000_000).nullable();

/** The settings of a key. Null removes a limit. */
const settings = {
  /** Whose key it is; null: the organisation's own. */
  member_id: text(64).nullable(),
  name: oneLine(100),
  models: list(model),
  endpoints: list(endpoint),
  rpm: ownLimit,
  concurrency: ownLimit,
  spend_cap_usd: usd.refine((amount) => amount >= 0n, 'must not be below zero').nullable(),
  caps,
  expires_at: instant.refine((time) => time.getTime() > Date.now(), 'must be in the future').nullable(),
  allowed_ips: list(z.string().refine(isAddressOrBlock, 'must be an IP address or a CIDR block')),
  scopes: z.array(z.enum(KEY_SCOPES)).max(KEY_SCOPES.length),
  keep_contents: z
    .boolean()
    .meta({ description: 'Prompts and answers are kept for 24 hours. `false` deletes what is kept.' }),
};

export const newKey = z.strictObject({
  ...z.object(settings).partial().shape,
  name: settings.name,
  /** Only the simulator serves a test key, at no cost. A key cannot change its kind. */
  test: z.boolean().default(false),
});
export const keyChange = z.strictObject(z.object(settings).partial().shape);

const MAX_GRACE_SECONDS = 30 * 24 * 60 * 60;
export const rotation = z.strictObject({ grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0) });

type Given = z.output<typeof keyChange>;

/** Maps the given fields to the store's names. It omits fields that were not given. */
export const toKeyChange = (given: Omit<Given, 'member_id'>) => ({
  ...(given.name === undefined ? {} : { name: given.name }),
  ...(given.models === undefined ? {} : { models: [...new Set(given.models ?? [])] }),
  ...(given.endpoints === undefined ? {} : { endpoints: [...new Set<string>(given.endpoints ?? [])] }),
  ...(given.rpm === undefined ? {} : { requestsPerMinute: given.rpm }),
  ...(given.concurrency === undefined ? {} : { concurrency: given.concurrency }),
  ...(given.spend_cap_usd === undefined ? {} : { spendCapNanoUsd: given.spend_cap_usd }),
  ...(given.caps === undefined ? {} : { caps: given.caps }),
  ...(given.expires_at === undefined ? {} : { expiresAt: given.expires_at }),
  ...(given.allowed_ips === undefined ? {} : { allowedIps: given.allowed_ips ?? [] }),
  ...(given.keep_contents === undefined ? {} : { keepContents: given.keep_contents }),
  ...(given.scopes === undefined ? {} : { scopes: [...new Set<string>(given.scopes)] }),
});

export const toKeySettings = (given: Omit<z.output<typeof newKey>, 'test' | 'member_id'>) => ({
  models: [],
  endpoints: [],
  allowedIps: [],
  scopes: [],
  requestsPerMinute: null,
  concurrency: null,
  spendCapNanoUsd: null,
  caps: [],
  expiresAt: null,
  keepContents: false,
  ...toKeyChange(given),
  name: given.name,
});
