import { z } from 'zod';
import { usd } from '../http/fields.js';
import { newKey } from './key-settings.js';

const MAX_MINUTES = 30 * 24 * 60;
const DEFAULT_MINUTES = 60;
const MINUTES = `must be a whole number of minutes from 1 to ${MAX_MINUTES}`;

const { name, models, endpoints, rpm, concurrency, allowed_ips } = newKey.shape;

/** A child key. What it leaves out it has from its parent. */
export const newChild = z.strictObject({
  name,
  /** What it may spend in all. It is reserved from what its parent may spend. */
  budget_usd: usd.refine((amount) => amount > 0n, 'must be above zero'),
  minutes: z.int(MINUTES).min(1, MINUTES).max(MAX_MINUTES, MINUTES).default(DEFAULT_MINUTES),
  models,
  endpoints,
  rpm,
  concurrency,
  allowed_ips,
  can_make_children: z.boolean().default(false),
});

export type NewChild = z.output<typeof newChild>;
