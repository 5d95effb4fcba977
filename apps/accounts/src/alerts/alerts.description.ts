import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { jsonOrEvents, time, timeOrNull } from '../http/answers.js';

const alertRecord = z
  .object({
    name: z.string(),
    severity: z.enum(['page', 'ticket', 'unknown']),
    state: z.enum(['firing', 'pending']),
    summary: z.string(),
    since: timeOrNull,
    labels: z.record(z.string(), z.string()),
    runbook: z.string().nullable().meta({ description: 'The name of its runbook: `operations.runbook` returns it.' }),
  })
  .meta({ id: 'Alert' });

const alertList = z.object({
  source: z.enum(['prometheus', 'own']),
  checked_at: time,
  problem: z.string().nullable().meta({ description: 'Why Prometheus was not asked, or did not answer.' }),
  data: z.array(alertRecord).readonly(),
  next_cursor: z.null(),
});

export type AlertView = z.output<typeof alertRecord>;
export type AlertList = z.output<typeof alertList>;

export const runbookPath = z.strictObject({ name: z.string() });

export const ALERTS = {
  list: {
    id: 'operations.alerts',
    summary: 'List the alerts that fire',
    description:
      'Of Prometheus, if `PROMETHEUS_URL` is set and answers. Otherwise this service checks the rules that its own data can answer: `source` is `own`.',
    answers: { 200: jsonOrEvents('FollowedAlerts', alertList) },
    examples: { now: {} },
  },
  runbook: {
    id: 'operations.runbook',
    summary: 'Read a runbook',
    answers: { 200: z.object({ name: z.string(), markdown: z.string() }) },
    examples: { drift: { path: { name: 'ledger-drift' } } },
  },
} satisfies Record<string, RouteDescription>;
