import { type HttpPools, isHttpFailure, jsonRequest } from '@gateway/http';
import { z } from 'zod';
import type { AlertView } from './alerts.description.js';

const TIMEOUT_MS = 3_000;

/** https://prometheus.io/docs/prometheus/latest/querying/api/#alerts */
const answer = z.object({
  status: z.literal('success'),
  data: z.object({
    alerts: z.array(
      z.object({
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()),
        state: z.string(),
        activeAt: z.string().optional(),
      }),
    ),
  }),
});

type PrometheusAlert = z.output<typeof answer>['data']['alerts'][number];

const OWN_LABELS = ['alertname', 'severity'];

/** `docs/runbooks/ledger-drift.md` → `ledger-drift` */
const runbookOf = (address: string | undefined): string | null => /([a-z0-9-]+)\.md$/.exec(address ?? '')?.[1] ?? null;

const severityOf = (given: string | undefined): AlertView['severity'] =>
  given === 'page' || given === 'ticket' ? given : 'unknown';

const viewOf = ({ labels, annotations, state, activeAt }: PrometheusAlert): AlertView => ({
  name: labels.alertname ?? 'unnamed',
  severity: severityOf(labels.severity),
  state: state === 'firing' ? 'firing' : 'pending',
  summary: annotations.summary ?? '',
  since: activeAt ?? null,
  labels: Object.fromEntries(Object.entries(labels).filter(([name]) => !OWN_LABELS.includes(name))),
  runbook: runbookOf(annotations.runbook_url),
});

/** The alerts of Prometheus, or why it reported none. */
export async function askPrometheus(pools: HttpPools, url: string): Promise<readonly AlertView[] | string> {
  try {
    const { status, body } = await jsonRequest(pools, {
      method: 'GET',
      url: `${url}/api/v1/alerts`,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const given = answer.safeParse(body);
    if (!given.success) return `Prometheus answered ${status} in an unknown form.`;
    return given.data.data.alerts.filter(({ state }) => state !== 'inactive').map(viewOf);
  } catch (error) {
    if (!isHttpFailure(error)) throw error;
    return 'Prometheus did not answer.';
  }
}
