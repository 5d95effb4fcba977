import { callJson } from '../http/json-call.js';

export interface NewAccount {
  readonly account: { readonly id: string; readonly email: string };
  /** Proves the person at the account interface; the API key proves the program at the gateway. */
  readonly token: string;
}

export interface KeyLimits {
  /** Requests for each minute; 0: unlimited. */
  readonly rpm?: number;
  /** Requests at the same time; 0: unlimited. */
  readonly concurrency?: number;
  readonly models?: readonly string[];
  /** Only a simulator answers it, and it costs nothing. */
  readonly test?: boolean;
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

/** `GET /admin/reconciliation`: zero is the only good value of each. */
export interface Reconciliation {
  readonly orphan_holds: number;
  readonly unsettled_events: number;
  readonly drift_nano_usd: string;
}

/** The account interface as a customer and an operator use it. */
export class AccountClient {
  constructor(
    private readonly url: string,
    private readonly adminToken: string,
  ) {}

  register(email: string, password: string): Promise<NewAccount> {
    return callJson(`${this.url}/account/register`, { method: 'POST', body: { email, password } });
  }

  createKey(token: string, name: string, limits: KeyLimits): Promise<NewKey> {
    return callJson(`${this.url}/account/keys`, { method: 'POST', token, body: { name, ...limits } });
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

  async credit(accountId: string, amountUsd: string, reference: string): Promise<void> {
    const body = { amount_usd: amountUsd, reason: 'scenario', reference };
    await callJson(`${this.url}/admin/accounts/${accountId}/credits`, { method: 'POST', token: this.adminToken, body });
  }

  reconciliation(): Promise<Reconciliation> {
    return callJson(`${this.url}/admin/reconciliation`, { token: this.adminToken });
  }
}
