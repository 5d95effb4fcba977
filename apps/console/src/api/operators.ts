import type { Usd } from '../format/money.js';

/** One account of `GET /admin/accounts`. Null limits: those of the deployment. */
export interface AdminAccount {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly rpm: number | null;
  readonly concurrency: number | null;
  readonly suspended_at: string | null;
  readonly balance_usd: Usd;
  readonly created_at: string;
}

export const CHANNEL_STATES = ['active', 'draining', 'paused'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

export interface ChannelProcess {
  readonly process_id: string;
  readonly service: string;
  readonly host: string;
  readonly state: ChannelState;
  readonly in_flight: number;
  readonly is_broken: boolean;
  readonly cooldown_seconds: number;
  readonly retry_tokens: number;
}

/** One vendor's channel over all workers, of `GET /admin/channels`. */
export interface Channel {
  readonly id: string;
  readonly vendor: string | null;
  readonly is_test: boolean | null;
  readonly state: ChannelState;
  readonly weight: number | null;
  readonly configured_weight: number | null;
  readonly is_applied: boolean;
  readonly health: 'healthy' | 'degraded' | 'down' | 'unknown';
  readonly calls: number;
  readonly failed_calls: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly in_flight: number;
  readonly broken_in: number;
  readonly broken_accounts: number;
  readonly cooldown_seconds: number;
  readonly model_cooldowns: readonly { readonly model: string; readonly cooldown_seconds: number }[];
  readonly retry_tokens: number;
  readonly last_error: { readonly code: string; readonly status: number | null; readonly at: string } | null;
  readonly change: { readonly by: string; readonly at: string; readonly reason: string } | null;
  readonly processes: readonly ChannelProcess[];
}

export interface QueueDepth {
  readonly name: string;
  readonly kind: string;
  readonly vendor: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly oldest_wait_seconds: number | null;
  readonly slots: { readonly size: number; readonly active: number; readonly waiting: number } | null;
}

export const TASK_PROBLEMS = ['stuck', 'lost', 'overdue'] as const;
export type TaskProblem = (typeof TASK_PROBLEMS)[number];

export interface OpenTask {
  readonly id: string;
  readonly request_id: string;
  readonly account_id: string;
  readonly model: string;
  readonly vendor: string;
  readonly status: string;
  readonly channel_id: string | null;
  readonly upstream_task_id: string | null;
  readonly hold_usd: Usd;
  readonly created_at: string;
  readonly expires_at: string;
  readonly next_poll_at: string | null;
  readonly poll_failures: number;
  readonly problems: readonly TaskProblem[];
}

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

export interface Finding {
  readonly id: string;
  readonly account_id: string | null;
  readonly request_id: string | null;
  readonly amount_usd: Usd | null;
  readonly at: string | null;
  readonly about: string;
}

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
  readonly data: readonly MarginLine[];
  readonly total: MarginSums;
}

export interface VendorBill {
  readonly id: string;
  readonly vendor: string;
  readonly name: string;
  readonly rows: number;
  readonly skipped_rows: number;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly billed_usd: Usd;
  readonly created_by: string;
  readonly created_at: string;
}

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

export interface OwnedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly test: boolean;
  readonly enabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_reason: string | null;
  readonly consecutive_failures: number;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly account_id: string;
  readonly account_email: string;
  readonly pending: number;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly person: { readonly id: string; readonly name: string; readonly role: string | null } | null;
  readonly administrator: string | null;
  readonly account_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly details: unknown;
  readonly ip: string | null;
  readonly request_id: string;
  readonly status: number | null;
  readonly error_code: string | null;
}

export interface Alert {
  readonly name: string;
  readonly severity: 'page' | 'ticket' | 'unknown';
  readonly state: 'firing' | 'pending';
  readonly summary: string;
  readonly since: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly runbook: string | null;
}

export interface AlertList {
  readonly source: 'prometheus' | 'own';
  readonly problem: string | null;
  readonly data: readonly Alert[];
}

export interface Process {
  readonly id: string;
  readonly service: string;
  readonly host: string;
  readonly release: string | null;
  readonly started_at: string;
}

export interface RedisFacts {
  readonly version: string;
  readonly started_at: string;
  readonly masters: number;
  readonly used_bytes: number;
  readonly limit_bytes: number | null;
  readonly eviction_policy: string;
  readonly latency_ms: number;
}

export interface System {
  readonly release: string;
  readonly node: string;
  readonly processes: readonly Process[];
  readonly postgres: {
    readonly version: string;
    readonly started_at: string;
    readonly size_bytes: number;
    readonly connections: number;
    readonly max_connections: number;
    readonly latency_ms: number;
    readonly migrations: readonly { readonly name: string; readonly finished_at: string }[];
  } | null;
  readonly redis: RedisFacts | null;
  readonly queue_redis: RedisFacts | null;
  readonly settings: readonly { readonly name: string; readonly value: string | null }[];
}

export interface Administrator {
  readonly id: string;
  readonly name: string;
  readonly person_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export const VENDOR_IDS = ['openai', 'anthropic', 'gemini', 'dashscope', 'voyage', 'ark', 'xai'] as const;
