import { z } from 'zod';

const usd = z.string().regex(/^-?\d+\.\d{2,9}$/);
const count = z.string().regex(/^\d+$/);

/**
 * Headers that a request may have, by the name under which a description lists them. Their schemas have no examples: the
 * reference would send an optional header that has one.
 */
export const REQUEST_HEADERS = {
  'Idempotency-Key': z.string().min(1).max(255).meta({
    description:
      'Makes a retry safe: the same key with the same request returns the stored response and is charged once.',
  }),
  Prefer: z.string().meta({
    description:
      '`respond-async` returns 202 at once and keeps the response, `wait=<seconds>` waits at most so long, `resumable` keeps a stream of server-sent events (RFC 7240).',
  }),
  'Last-Event-ID': z.string().meta({ description: 'The `id` of the last event that the client has.' }),
  'anthropic-version': z.string().meta({
    description:
      'The version of the native messages format, such as `2023-06-01`. With it, models and errors have that format.',
  }),
  'anthropic-beta': z.string().meta({ description: 'Names of features, separated by commas. The vendor gets them.' }),
  Range: z.string().meta({ description: 'The part of the bytes, such as `bytes=0-1023`.' }),
  'If-Match': z.string().meta({ description: 'Entity tags: another file is a 412.' }),
  'x-webhook-url': z.url().meta({ description: 'With `Prefer: respond-async`: the address that gets the end.' }),
  'x-include-cost': z
    .literal('true')
    .meta({ description: 'Adds a last comment to a stream: `: cost cost_usd=… balance_usd=…`.' }),
} as const satisfies Record<string, z.ZodType>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers of responses. */
export const RESPONSE_HEADERS = {
  'x-request-id': z.string().meta({ description: 'The id of the request: of its receipt, its logs and its errors.' }),
  'openai-organization': z.string().meta({ description: 'The id of the account that the key belongs to.' }),
  'x-may-spend': z.literal('false').meta({
    description: 'The account has nothing to spend: bodies above 256 KB are refused unread. Absent otherwise.',
  }),
  'x-cost-usd': usd.meta({ description: 'What the request cost, in USD. A stream has it in its last comment.' }),
  'x-balance-usd': usd.meta({ description: 'The balance of the account after the request, in USD.' }),
  'x-held-usd': usd.meta({ description: 'What is held until the request ends, in USD.' }),
  'x-gateway-filled': z.string().meta({
    description:
      'Fields that the gateway set or replaced: `name=value, …`, percent-encoded. Absent if it changed nothing.',
  }),
  'x-gateway-dropped': z
    .string()
    .meta({ description: 'Fields of the request that the upstream does not take: `name, …`.' }),
  'x-gateway-test': z.literal('true').meta({ description: 'A test key was used: no vendor, no cost.' }),
  'x-ratelimit-limit-requests': count.meta({ description: 'Requests a minute of the account or the key.' }),
  'x-ratelimit-remaining-requests': count.meta({ description: 'Requests that are left of them.' }),
  'x-ratelimit-reset-requests': z.string().meta({ description: 'Time until all are left, such as `1.5s`.' }),
  'retry-after': count.meta({ description: 'Seconds to wait before a retry.' }),
  'retry-after-ms': count.meta({ description: 'Milliseconds to wait before a retry.' }),
  'x-should-retry': z
    .enum(['true', 'false'])
    .meta({ description: 'Whether a retry may help. Client libraries read it.' }),
  'idempotent-replayed': z.literal('true').meta({ description: 'The response is a stored one: nothing was run.' }),
  'idempotent-request-id': z.string().meta({ description: 'The request that made the stored response.' }),
  'preference-applied': z.string().meta({ description: 'The part of `Prefer` that was applied.' }),
  location: z.string().meta({ description: 'The path of the new resource, or where the bytes are.' }),
  deprecation: z.string().meta({ description: 'The model ends: the time of the warning (RFC 9745).' }),
  sunset: z.string().meta({ description: 'When the model ends (RFC 8594).' }),
  link: z.string().meta({ description: 'The model that follows, with the relation `successor-version`.' }),
  'www-authenticate': z.string().meta({ description: 'How to authenticate.' }),
  'x-next-cursor': z.string().meta({ description: 'The `cursor` of the next page, for CSV.' }),
  'set-cookie': z.string().meta({ description: 'The cookie of the session, for browsers.' }),
  etag: z.string().meta({ description: 'The version of the bytes.' }),
  'content-range': z.string().meta({ description: 'Which part of the bytes it is.' }),
  'accept-ranges': z.literal('bytes').meta({ description: 'A part of the bytes may be asked for with `Range`.' }),
  'content-disposition': z.string().meta({ description: 'The name of the file.' }),
  'x-gateway-result': z.enum(['pending', 'left_at_vendor']).meta({
    description: '`pending`: the bytes will be stored soon. `left_at_vendor`: they are too large to be stored.',
  }),
} as const satisfies Record<string, z.ZodType>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** References to the headers of an answer. */
export const headersOf = (names: readonly ResponseHeader[]) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
