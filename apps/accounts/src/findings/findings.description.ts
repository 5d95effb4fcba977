import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { jsonOrEvents, pageOf, timeOrNull, usdText } from '../http/answers.js';
import { page } from '../http/fields.js';

/** What can be wrong with money. Each must have no rows, except the last two: what was given back, and what cost more than it earned. */
export const FINDING_KINDS = [
  'drift',
  'orphan_holds',
  'unsettled',
  'parked',
  'unbooked_task_holds',
  'tasks_without_receipt',
  'refunded_charges',
  'below_cost',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export const findingPath = z.strictObject({
  kind: z.enum(FINDING_KINDS, `must be one of ${FINDING_KINDS.join(', ')}`),
});
export const findingListing = z.strictObject(page);

const findingRecord = z
  .object({
    id: z.string(),
    account_id: z.string().nullable(),
    request_id: z.string().nullable(),
    amount_usd: usdText.nullable(),
    at: timeOrNull,
    about: z.string(),
  })
  .meta({ id: 'Finding' });

export type FindingView = z.output<typeof findingRecord>;

export const FINDINGS = {
  id: 'findings.list',
  summary: 'List the rows behind a number of the reconciliation',
  description:
    '`drift`: accounts whose escrow differs from Redis. `orphan_holds`: holds that nothing settled in time. `unsettled`: settlements on their way to the ledger. `parked`: events that it refused. `unbooked_task_holds`, `tasks_without_receipt`: tasks of videos. `refunded_charges`: second charges that were given back. `below_cost`: accounts and models of the last day that cost more than they paid.',
  query: findingListing,
  answers: { 200: jsonOrEvents('FollowedFindings', pageOf(findingRecord)) },
  examples: { parked: { path: { kind: 'parked' } } },
} satisfies RouteDescription;
