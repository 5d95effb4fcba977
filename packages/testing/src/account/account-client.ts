import { callJson } from '../http/json-call.js';

export interface NewAccount {
  readonly account: { readonly id: string; readonly email: string };
  /** The token of a session at the account interface; API keys are for the gateway. */
  readonly token: string;
}

export interface KeyLimits {
  /** Requests per minute. */
  readonly rpm?: number;
  /** Concurrent requests. */
  readonly concurrency?: number;
  readonly models?: readonly string[];
  readonly endpoints?: readonly string[];
  /** Decimal USD. */
  readonly spend_cap_usd?: string;
  /** By calendar; dollars as decimal text. */
  readonly caps?: readonly { readonly period: string; readonly measure: string; readonly limit: string | number }[];
  /** Requests go to the simulator only and cost nothing. */
  readonly test?: boolean;
  /** ISO 8601. */
  readonly expires_at?: string;
  readonly allowed_ips?: readonly string[];
  readonly scopes?: readonly string[];
  /** Prompts and answers are kept for a day. */
  readonly keep_contents?: boolean;
}

/** What an administrator may change. Limits apply to all keys together; 0: unlimited. */
export interface AccountChange {
  readonly suspended?: boolean;
  readonly rpm?: number | null;
  readonly concurrency?: number | null;
}

export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** Decimal USD. */
export interface Balance {
  readonly balance_usd: string;
  readonly held_usd: string;
  readonly available_usd: string;
}

/** `POST /account/quote`. An invalid request has its error in place of the amounts. */
export interface Quote {
  readonly valid: boolean;
  readonly price_version: string;
  readonly abort_contract: 'stops' | 'completes';
  readonly units: Readonly<Record<string, number>>;
  readonly estimate_usd: string;
  readonly hold_usd: string;
  readonly output_cap: number | null;
  readonly is_affordable: boolean;
  /** What the caps of the key and its account leave in dollars; null without one. */
  readonly key_room_usd?: string | null;
  readonly errors?: readonly { readonly status: number; readonly code: string; readonly param: string | null }[];
}

/** `GET /admin/reconciliation`: zero is the only correct value of each. */
export interface Reconciliation {
  readonly orphan_holds: number;
  readonly unsettled_events: number;
  readonly drift_nano_usd: string;
  readonly task_hold_drift_nano_usd: string;
  readonly unbooked_task_holds: number;
  readonly tasks_without_receipt: number;
}

/** A registered webhook endpoint; only the response that creates it holds `secret`. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly secret?: string;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string; readonly subject: string };
  readonly endpoint_id: string | null;
  readonly state: 'pending' | 'delivered' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly attempt_log: readonly {
    readonly number: number;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

export interface ReplayedWebhooks {
  readonly replayed: number;
  readonly brought_forward: number;
  readonly has_more: boolean;
}

export interface AccountEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The account interface for customers and administrators. */
export class AccountClient {
  constructor(
    private readonly url: string,
    private readonly adminToken: string,
  ) {}

  register(email: string, password: string): Promise<NewAccount> {
    return callJson(`${this.url}/account/register`, { method: 'POST', body: { email, password } });
  }

  login(email: string, password: string): Promise<NewAccount> {
    return callJson(`${this.url}/account/login`, { method: 'POST', body: { email, password } });
  }

  async logout(token: string): Promise<void> {
    await callJson(`${this.url}/account/logout`, { method: 'POST', token, body: {} });
  }

  /** Needs the admin token. */
  addPrice(accountId: string, price: object): Promise<{ readonly id: string }> {
    const call = { method: 'POST', token: this.adminToken, body: price } as const;
    return callJson(`${this.url}/admin/accounts/${accountId}/prices`, call);
  }

  /** Needs the admin token. */
  async changeAccount(accountId: string, change: AccountChange): Promise<void> {
    const call = { method: 'PATCH', token: this.adminToken, body: change } as const;
    await callJson(`${this.url}/admin/accounts/${accountId}`, call);
  }

  async changeSettings(token: string, change: { readonly low_balance_usd: string | null }): Promise<void> {
    await callJson(`${this.url}/account/settings`, { method: 'PATCH', token, body: change });
  }

  createKey(token: string, name: string, limits: KeyLimits): Promise<NewKey> {
    return callJson(`${this.url}/account/keys`, { method: 'POST', token, body: { name, ...limits } });
  }

  async changeKey(token: string, keyId: string, change: KeyLimits): Promise<void> {
    await callJson(`${this.url}/account/keys/${keyId}`, { method: 'PATCH', token, body: change });
  }

  /** The old key stays valid during its grace period. */
  rotateKey(token: string, keyId: string, graceSeconds: number): Promise<NewKey> {
    const body = { grace_seconds: graceSeconds };
    return callJson(`${this.url}/account/keys/${keyId}/rotate`, { method: 'POST', token, body });
  }

  async revokeKey(token: string, keyId: string): Promise<void> {
    await callJson(`${this.url}/account/keys/${keyId}`, { method: 'DELETE', token });
  }

  balance(token: string): Promise<Balance> {
    return callJson(`${this.url}/account/balance`, { token });
  }

  receipt<Receipt>(token: string, requestId: string): Promise<Receipt> {
    return callJson(`${this.url}/account/requests/${requestId}`, { token });
  }

  quote(token: string, body: object): Promise<Quote> {
    return callJson(`${this.url}/account/quote`, { method: 'POST', token, body });
  }

  createWebhookEndpoint(token: string, endpoint: object): Promise<WebhookEndpoint> {
    return callJson(`${this.url}/account/webhook-endpoints`, { method: 'POST', token, body: endpoint });
  }

  async webhookEndpoints(token: string): Promise<readonly WebhookEndpoint[]> {
    return (await callJson<{ data: WebhookEndpoint[] }>(`${this.url}/account/webhook-endpoints`, { token })).data;
  }

  testWebhookEndpoint(token: string, id: string): Promise<{ readonly event_id: string; readonly delivery_id: string }> {
    return callJson(`${this.url}/account/webhook-endpoints/${id}/test`, { method: 'POST', token, body: {} });
  }

  async webhookDeliveries(token: string, query = ''): Promise<readonly WebhookDelivery[]> {
    const url = `${this.url}/account/webhook-deliveries?limit=200${query}`;
    return (await callJson<{ data: WebhookDelivery[] }>(url, { token })).data;
  }

  replayWebhookDelivery(token: string, id: string): Promise<WebhookDelivery> {
    return callJson(`${this.url}/account/webhook-deliveries/${id}/replay`, { method: 'POST', token, body: {} });
  }

  async enableWebhookEndpoint(token: string, id: string): Promise<void> {
    const body = { enabled: true };
    await callJson(`${this.url}/account/webhook-endpoints/${id}`, { method: 'PATCH', token, body });
  }

  replayWebhooks(token: string, which: object): Promise<ReplayedWebhooks> {
    const call = { method: 'POST', token, body: which } as const;
    return callJson(`${this.url}/account/webhook-deliveries/replay`, call);
  }

  /** Needs the admin token. */
  replayWebhooksOf(accountId: string, which: object): Promise<ReplayedWebhooks> {
    const call = { method: 'POST', token: this.adminToken, body: which } as const;
    return callJson(`${this.url}/admin/accounts/${accountId}/webhook-deliveries/replay`, call);
  }

  rotateWebhookSecret(token: string, graceSeconds: number): Promise<{ readonly secret: string }> {
    const body = { grace_seconds: graceSeconds };
    return callJson(`${this.url}/account/webhook-secret/rotate`, { method: 'POST', token, body });
  }

  async events(token: string, after?: string): Promise<readonly AccountEvent[]> {
    const query = after === undefined ? '' : `&after=${after}`;
    return (await callJson<{ data: AccountEvent[] }>(`${this.url}/account/events?limit=200${query}`, { token })).data;
  }

  async credit(accountId: string, amountUsd: string, reference: string): Promise<void> {
    const body = { amount_usd: amountUsd, reason: 'scenario', reference };
    await callJson(`${this.url}/admin/accounts/${accountId}/credits`, { method: 'POST', token: this.adminToken, body });
  }

  reconciliation(): Promise<Reconciliation> {
    return callJson(`${this.url}/admin/reconciliation`, { token: this.adminToken });
  }
}
