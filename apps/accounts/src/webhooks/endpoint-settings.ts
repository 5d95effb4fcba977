import { ACCOUNT_EVENT_TYPES, type AccountEventType, GatewayError } from '@gateway/contracts';
import { checkPublicUrl, type UrlPolicy } from '@gateway/http';
import { z } from 'zod';
import { text } from '../http/fields.js';

const TYPES = Object.keys(ACCOUNT_EVENT_TYPES) as [AccountEventType, ...AccountEventType[]];
const eventType = z.enum([...TYPES, '*'], `must be "*" or one of ${TYPES.join(', ')}`);

/** Null: the default events. */
const events = z
  .array(eventType)
  .min(1, 'must name an event, or be null for the default events')
  .max(TYPES.length + 1)
  .nullable()
  .transform((types) => (types === null ? [] : [...new Set<string>(types)]));

const description = text(200);

export const newEndpoint = z.strictObject({
  url: z.string('must be the URL that receives the events'),
  events: events.default([]),
  description: description.default(''),
  /** Receives events of test keys only. An endpoint cannot change its kind. */
  test: z.boolean().default(false),
});

export const endpointChange = z.strictObject({
  events: events.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
});

const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_GRACE_SECONDS = 24 * 60 * 60;
export const secretRotation = z.strictObject({
  grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(DEFAULT_GRACE_SECONDS),
});

/** The URL as it is stored. Throws a 400 for a URL that the policy forbids. */
export function requirePublicUrl(url: string, policy: UrlPolicy): string {
  const checked = checkPublicUrl(url, policy);
  if ('url' in checked) return checked.url;
  throw new GatewayError('invalid_request', `url: ${checked.problem}`, { param: 'url' });
}
