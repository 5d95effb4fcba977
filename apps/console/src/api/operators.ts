import type { Usd } from '../format/money.js';
import type { Documented } from './documented.js';
import type { Receipt } from './requests.js';

/** One account of `GET /admin/accounts`. Null limits: those of the deployment. */
export type AdminAccount = Documented['AccountWithBalance'];

export const CHANNEL_STATES = ['active', 'draining', 'paused'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

export const CHANNEL_HEALTHS = ['healthy', 'degraded', 'down', 'unknown'] as const;

/** One vendor's channel over all workers, of `GET /admin/channels`. */
export type Channel = Documented['Channel'];

export type QueueDepth = Documented['Queue'];

export const TASK_PROBLEMS = ['stuck', 'lost', 'overdue'] as const;
export type TaskProblem = (typeof TASK_PROBLEMS)[number];

export type OpenTask = Documented['OpenTask'];

/** `GET /admin/accounts/{id}/requests/{id}`: a receipt with what customers do not see of it. */
export type OperatorReceipt = Receipt &
  Pick<Documented['OperatorReceipt'], 'vendor_cost_usd' | 'channels' | 'fetched_results'>;
export type FetchedResult = OperatorReceipt['fetched_results'][number];

export interface Reconciliation {
  readonly checked_at: string;
  readonly orphan_holds: number;
  readonly unsettled_events: number;
  readonly parked_events: number;
  readonly ledger_imbalance_nano_usd: string;
  readonly task_hold_drift_nano_usd: string;
  readonly unbooked_task_holds: number;
  readonly tasks_without_receipt: number;
  readonly drift_usd: Usd;
  readonly drifts: readonly { readonly account_id: string }[];
  /** Of a deep report only. */
  readonly ledger?: {
    readonly imbalance_usd: Usd;
    readonly unbalanced_transactions: number;
    readonly wrong_balances: number;
  };
}

export type Finding = Documented['Finding'];

export interface MarginSums {
  readonly requests: number;
  readonly charged_usd: Usd;
  readonly vendor_cost_usd: Usd;
  readonly margin_usd: Usd;
  readonly margin_percent: string | null;
  readonly uncosted_requests: number;
  readonly uncosted_usd: Usd;
}

export interface MarginLine extends MarginSums {
  readonly group: string;
  readonly email?: string | null;
}

export interface MarginReport {
  /** ISO 8601: UTC days. `to` is the end of the last one. */
  readonly from: string;
  readonly to: string;
  readonly data: readonly MarginLine[];
  readonly total: MarginSums;
}

export type VendorBill = Documented['VendorBill'];

export interface BillLine {
  readonly day: string;
  readonly model: string;
  readonly billed_usd: Usd;
  readonly recorded_usd: Usd;
  readonly difference_usd: Usd;
}

export interface ComparedBill extends VendorBill {
  readonly recorded_usd: Usd;
  readonly difference_usd: Usd;
  readonly unexplained_usd: Usd;
  readonly lines: readonly BillLine[];
}

export interface BillItem {
  readonly upstream_id: string;
  readonly day: string;
  readonly model: string;
  readonly billed_usd: Usd;
  readonly recorded_usd: Usd | null;
  readonly request_id: string | null;
  readonly account_id: string | null;
}

export type OwnedEndpoint = Documented['OwnedWebhookEndpoint'];

export type AuditEntry = Documented['AuditEntry'];

export type Alert = Documented['Alert'];

export interface AlertList {
  readonly source: 'prometheus' | 'own';
  readonly problem: string | null;
  readonly data: readonly Alert[];
}

export type Process = System['processes'][number];

export type RedisFacts = NonNullable<System['redis']>;

export type System = Documented['System'];

export type Administrator = Documented['Administrator'];

export const VENDOR_IDS = ['openai', 'anthropic', 'gemini', 'dashscope', 'voyage', 'ark', 'xai'] as const;
