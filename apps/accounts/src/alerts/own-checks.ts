import type { ChannelControl, ProcessReport } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { MarginLine, OpenTaskRecord, WebhookBacklog } from '@gateway/postgres';
import type { QueueDepth } from '@gateway/redis';
import type { ReconciliationReport } from '../http/reconciliation-report.js';

/** What the checks look at, read at one moment. */
export interface Facts {
  /** Null: billing did not answer. */
  readonly report: ReconciliationReport | null;
  readonly processes: readonly ProcessReport[];
  readonly controls: readonly ChannelControl[];
  readonly queues: readonly QueueDepth[];
  /** Tasks that are open after their deadline, or whose submission takes too long. */
  readonly stuckTasks: readonly OpenTaskRecord[];
  readonly webhooks: WebhookBacklog;
  readonly mailDelayMs: number;
  /** Of the last two UTC days, by model. */
  readonly margin: readonly MarginLine[];
}

interface Fault {
  readonly summary: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Check {
  readonly severity: 'page' | 'ticket';
  readonly find: (facts: Facts) => readonly Fault[];
}

const WAIT_LIMIT_MS = 2_000;
const WEBHOOK_LIMIT_MS = 60_000;
const MAIL_LIMIT_MS = 600_000;

const SUBMISSION: ReadonlySet<string> = new Set(['submitting', 'submit_unknown']);

const when = (isSo: boolean, summary: string): readonly Fault[] => (isSo ? [{ summary }] : []);

/** The margin of the requests whose cost is known. */
export const marginOf = ({ chargedNanoUsd, uncostedNanoUsd, vendorCostNanoUsd }: MarginLine): bigint =>
  chargedNanoUsd - uncostedNanoUsd - vendorCostNanoUsd;

/** Channels of a vendor that no process may call. A vendor is unhealthy if all of its channels are. */
function unhealthyVendors({ processes }: Facts): readonly Fault[] {
  const channels = processes.flatMap((process) => process.channels).filter(({ isTest }) => !isTest);
  return [...new Set(channels.map(({ vendor }) => vendor))].flatMap((vendor) => {
    const own = channels.filter((channel) => channel.vendor === vendor);
    const isDown = own.every(({ isBroken, cooldownMs }) => isBroken || cooldownMs > 0);
    return isDown ? [{ summary: `No channel of ${vendor} takes calls.`, labels: { vendor } }] : [];
  });
}

/**
 * The rules of `infra/alerts` that the data of this service can answer, by their names there. They look at one moment: a
 * rule that waits for minutes in Prometheus fires here at once.
 */
export const OWN_CHECKS: Readonly<Record<string, Check>> = {
  LedgerUnbalanced: {
    severity: 'page',
    find: ({ report }) =>
      when(
        report !== null && report.ledger_imbalance_nano_usd !== '0',
        `The sum of all ledger balances is ${report?.ledger_imbalance_nano_usd} nano-USD, not 0.`,
      ),
  },
  LedgerDrift: {
    severity: 'page',
    find: ({ report }) =>
      when((report?.drifts.length ?? 0) > 0, `Redis and the ledger differ by ${report?.drift_usd} USD.`),
  },
  TaskHoldDrift: {
    severity: 'page',
    find: ({ report }) =>
      when(
        report !== null &&
          (report.task_hold_drift_nano_usd !== '0' || report.unbooked_task_holds + report.tasks_without_receipt > 0),
        "The holds of open video tasks differ from the ledger's, or a task ended unsettled.",
      ),
  },
  OrphanHolds: {
    severity: 'page',
    find: ({ report }) =>
      when((report?.orphan_holds ?? 0) > 0, `${report?.orphan_holds} holds were not settled in time.`),
  },
  UsageEventsParked: {
    severity: 'page',
    find: ({ report }) =>
      when((report?.parked_events ?? 0) > 0, `${report?.parked_events} usage events could not be booked.`),
  },
  ReconciliationStale: {
    severity: 'page',
    find: ({ report }) => when(report === null, 'Billing does not answer: the other checks of money see nothing.'),
  },
  NoWorkerConnected: {
    severity: 'page',
    find: ({ processes }) =>
      when(
        !processes.some(({ service }) => service === 'sync-worker'),
        'No worker for requests has reported for 10 s.',
      ),
  },
  VendorUnhealthy: { severity: 'ticket', find: unhealthyVendors },
  ChannelPaused: {
    severity: 'ticket',
    find: ({ controls }) =>
      controls
        .filter(({ state }) => state !== 'active')
        .map(({ channelId, state }) => ({
          summary: `${channelId} is ${state}.`,
          labels: { channel: channelId, state },
        })),
  },
  QueueWaitTooLong: {
    severity: 'page',
    find: ({ queues }) =>
      queues
        .filter(({ oldestWaitMs }) => (oldestWaitMs ?? 0) > WAIT_LIMIT_MS)
        .map(({ name, kind, vendor, oldestWaitMs }) => ({
          summary: `The first job of ${name} has waited for ${Math.round((oldestWaitMs ?? 0) / 1_000)} s.`,
          labels: { kind, vendor },
        })),
  },
  VideoTasksStuck: {
    severity: 'page',
    find: ({ stuckTasks }) =>
      stuckTasks.map(({ id, vendor, state }) => ({
        summary: SUBMISSION.has(state)
          ? `${id} has been ${state} for 15 minutes.`
          : `${id} is ${state} after its deadline.`,
        labels: { vendor, state },
      })),
  },
  WebhooksDelayed: {
    severity: 'page',
    find: ({ webhooks }) =>
      when(
        webhooks.oldestUnattemptedMs > WEBHOOK_LIMIT_MS,
        `${webhooks.unattempted} deliveries are due and have no attempt.`,
      ),
  },
  MailNotSent: {
    severity: 'ticket',
    find: ({ mailDelayMs }) =>
      when(mailDelayMs > MAIL_LIMIT_MS, `A mail has waited for ${Math.round(mailDelayMs / 60_000)} minutes.`),
  },
  MarginNegative: {
    severity: 'ticket',
    find: ({ margin }) =>
      margin
        .filter((line) => marginOf(line) < 0n)
        .map((line) => ({
          summary: `${line.group} cost ${formatUsd(-marginOf(line))} USD more than customers paid.`,
          labels: { model: line.group },
        })),
  },
};
