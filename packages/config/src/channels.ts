import { VENDORS, type Vendor } from '@gateway/contracts';
import { z } from 'zod';
import { httpUrl, json } from './variables.js';

/** A base URL and a credential of a vendor. */
export interface ChannelConfig {
  readonly id: string;
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly credential: string;
  readonly weight: number;
}

const BASE_URLS = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  dashscope: 'https://dashscope-intl.aliyuncs.com',
  voyage: 'https://api.voyageai.com',
  ark: 'https://ark.ap-southeast.bytepluses.com',
  xai: 'https://api.x.ai',
} as const satisfies Record<Vendor, string>;

/** The characters of a header. A key with a stray line break would otherwise fail at its first request. */
const printable = z.string().regex(/^[\x20-\x7e]+$/, 'must contain only printable ASCII characters');

const channelList = z
  .array(
    z.strictObject({
      id: z.string().min(1),
      apiKey: printable,
      baseUrl: httpUrl.optional(),
      /** Its share of new requests. 0: no new requests, but its tasks are still polled. */
      weight: z.number().min(0).default(1),
    }),
  )
  .min(1)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have a unique id for each channel');

type Name<Suffix extends string> = `${Uppercase<Vendor>}_${Suffix}`;
const nameOf = <Suffix extends string>(vendor: Vendor, suffix: Suffix) =>
  `${vendor.toUpperCase()}_${suffix}` as Name<Suffix>;

const variablesOf = <Suffix extends string, Schema extends z.ZodType>(suffix: Suffix, schema: Schema) =>
  Object.fromEntries(VENDORS.map((vendor) => [nameOf(vendor, suffix), schema])) as Record<Name<Suffix>, Schema>;

/** `<VENDOR>_API_KEY` (a key or a comma-separated list) and `<VENDOR>_BASE_URL`. `<VENDOR>_CHANNELS` (JSON) replaces both. */
export const channelVariables = {
  ...variablesOf('API_KEY', printable.optional()),
  ...variablesOf('BASE_URL', httpUrl.optional()),
  ...variablesOf('CHANNELS', json(channelList).optional()),
  /** Development only: the simulator of vendors without a key. */
  SIMULATOR_URL: httpUrl.optional(),
  /** The simulator that serves test keys, also in production. Default: `SIMULATOR_URL`. */
  TEST_SIMULATOR_URL: httpUrl.optional(),
};

type ChannelVariables = z.output<z.ZodObject<typeof channelVariables>>;

/** The channels of a vendor. Empty without a credential and without a simulator. */
export function readChannels(vendor: Vendor, variables: ChannelVariables): ChannelConfig[] {
  const baseUrl = variables[nameOf(vendor, 'BASE_URL')] ?? BASE_URLS[vendor];
  const listed = variables[nameOf(vendor, 'CHANNELS')];
  if (listed !== undefined) {
    return listed.map(({ id, apiKey, weight, ...channel }) => ({
      id,
      vendor,
      baseUrl: channel.baseUrl ?? baseUrl,
      credential: apiKey,
      weight,
    }));
  }
  const keys = (variables[nameOf(vendor, 'API_KEY')] ?? '').split(',').filter((key) => key.trim() !== '');
  if (keys.length > 0) {
    return keys.map((key, index) => ({
      id: `${vendor}-${index + 1}`,
      vendor,
      baseUrl,
      credential: key.trim(),
      weight: 1,
    }));
  }
  if (variables.SIMULATOR_URL === undefined) return [];
  const simulatorBaseUrl = `${variables.SIMULATOR_URL}/${vendor}`;
  return [{ id: `${vendor}-simulator`, vendor, baseUrl: simulatorBaseUrl, credential: 'simulator', weight: 1 }];
}

/** The channel that serves test keys for a vendor. Empty without a simulator. */
export function readTestChannels(vendor: Vendor, variables: ChannelVariables): ChannelConfig[] {
  const simulatorUrl = variables.TEST_SIMULATOR_URL ?? variables.SIMULATOR_URL;
  if (simulatorUrl === undefined) return [];
  return [{ id: `${vendor}-test`, vendor, baseUrl: `${simulatorUrl}/${vendor}`, credential: 'test-key', weight: 1 }];
}

interface ServedVendors {
  readonly value: ChannelVariables & { readonly VENDORS: readonly Vendor[] };
  readonly issues: object[];
}

/** Reports each vendor without a channel: the worker would claim tickets that it cannot run. */
export function requireChannelPerVendor({ value, issues }: ServedVendors): void {
  for (const vendor of value.VENDORS) {
    if (readChannels(vendor, value).length > 0) continue;
    const path = [nameOf(vendor, 'API_KEY')];
    issues.push({
      code: 'custom',
      path,
      message: `must be set, or VENDORS must not contain ${vendor}`,
      input: undefined,
    });
  }
}

/** Reports vendors whose channels share an id: controls, probes and metrics know a channel by its id alone. */
export function requireUniqueChannels({ value, issues }: ServedVendors): void {
  const owners = new Map<string, Vendor>();
  for (const vendor of value.VENDORS) {
    const shared = readChannels(vendor, value).find(({ id }) => owners.has(id));
    if (shared !== undefined) {
      const path = [nameOf(vendor, 'CHANNELS')];
      const message = `must have ids that no channel of ${owners.get(shared.id)} has`;
      issues.push({ code: 'custom', path, message, input: undefined });
    }
    for (const { id } of readChannels(vendor, value)) owners.set(id, vendor);
  }
}
