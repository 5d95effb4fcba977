import type { Alert } from '../../api/operators.js';

/** Where an operator acts on an alert: a page, with what it opens or filters. */
export interface Place {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

const PROOF: Place = { to: '/operator/proof', search: {} };
const SYSTEM: Place = { to: '/operator/system', search: {} };
const QUEUES: Place = { to: '/operator/queues', search: {} };

const finding = (open: string): Place => ({ to: '/operator/proof', search: { open } });
const tasks = (problem: string): Place => ({ to: '/operator/tasks', search: { problem } });

/** By the name of the alert, as in `infra/alerts`. An alert without a page has its runbook only. */
const PLACES: Readonly<Record<string, Place>> = {
  LedgerDrift: finding('drift'),
  LedgerUnbalanced: PROOF,
  OrphanHolds: finding('orphan_holds'),
  UsageEventsParked: finding('parked'),
  TaskHoldDrift: PROOF,
  SettlementLag: finding('unsettled'),
  RepeatedChargesRefunded: finding('refunded_charges'),
  MarginNegative: { to: '/operator/proof', search: { view: 'margin' } },
  VendorCostDiffers: { to: '/operator/proof', search: { view: 'bills' } },
  VideoTasksStuck: tasks('stuck'),
  SubmissionsUnknown: tasks('lost'),
  PollJobsLost: tasks('overdue'),
  QueueWaitTooLong: QUEUES,
  NoWorkerConnected: QUEUES,
  JobsStalled: QUEUES,
  WebhooksDelayed: { to: '/operator/webhooks', search: {} },
  ServiceDown: SYSTEM,
  ServiceNotReady: SYSTEM,
  ServiceRestarting: SYSTEM,
  RedisNearlyFull: SYSTEM,
  RedisEvictionEnabled: SYSTEM,
  MonthMissing: SYSTEM,
};

/** A channel or a vendor in the labels leads to it; otherwise the name does. */
export function placeOf({ name, labels }: Pick<Alert, 'name' | 'labels'>): Place | undefined {
  if (labels.channel !== undefined) return { to: '/operator/channels', search: { open: labels.channel } };
  const place = PLACES[name];
  if (place === undefined && labels.vendor !== undefined)
    return { to: '/operator/channels', search: { vendor: labels.vendor } };
  return place;
}
