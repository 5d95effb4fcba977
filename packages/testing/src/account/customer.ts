import { randomUUID } from 'node:crypto';
import type { AccountClient, Balance, KeyLimits, NewKey } from './account-client.js';

export interface CustomerOptions {
  /** Decimal USD; none by default. */
  readonly creditUsd?: string;
  /** `rpm` and `concurrency` limit the account, 0 for unlimited, as an administrator sets them. The others limit the first key. */
  readonly limits?: KeyLimits;
}

/** A registered customer with credit and one key. */
export class Customer {
  constructor(
    private readonly accounts: AccountClient,
    readonly accountId: string,
    readonly keyId: string,
    readonly apiKey: string,
    /** The token of the customer's session at the account interface. */
    readonly token: string,
    readonly email: string,
    readonly password: string,
  ) {}

  balance(): Promise<Balance> {
    return this.accounts.balance(this.token);
  }

  receipt<Receipt>(requestId: string): Promise<Receipt> {
    return this.accounts.receipt(this.token, requestId);
  }

  /** Creates another key of the same account. */
  newKey(limits: KeyLimits = {}): Promise<NewKey> {
    return this.accounts.createKey(this.token, 'another', limits);
  }

  changeKey(keyId: string, change: KeyLimits): Promise<void> {
    return this.accounts.changeKey(this.token, keyId, change);
  }

  rotateKey(keyId: string, graceSeconds: number): Promise<NewKey> {
    return this.accounts.rotateKey(this.token, keyId, graceSeconds);
  }

  revokeKey(keyId: string): Promise<void> {
    return this.accounts.revokeKey(this.token, keyId);
  }

  topUp(amountUsd: string): Promise<void> {
    return this.accounts.credit(this.accountId, amountUsd, randomUUID());
  }
}

/** Registers a customer, adds credit and creates the first key, all through the account interface. */
export async function createCustomer(accounts: AccountClient, options: CustomerOptions = {}): Promise<Customer> {
  const { creditUsd, limits: { rpm, concurrency, ...keyLimits } = {} } = options;
  const password = randomUUID();
  const { account, token } = await accounts.register(`${randomUUID()}@example.com`, password);
  if (creditUsd !== undefined) await accounts.credit(account.id, creditUsd, randomUUID());
  if (rpm !== undefined || concurrency !== undefined) {
    await accounts.changeAccount(account.id, {
      ...(rpm !== undefined && { rpm }),
      ...(concurrency !== undefined && { concurrency }),
    });
  }
  const { id, key } = await accounts.createKey(token, 'first', keyLimits);
  return new Customer(accounts, account.id, id, key, token, account.email, password);
}
