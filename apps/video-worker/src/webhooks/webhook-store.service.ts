import {
  type AttemptOutcome,
  type AttemptReport,
  type ClaimedDelivery,
  claimDeliveries,
  type Database,
  type DisabledReason,
  reportAttempt,
  type SecretSeal,
  secretSeal,
  signingSecrets,
} from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';

/** One attempt with what it means for its delivery. */
export type ReportedAttempt = AttemptReport & AttemptOutcome;

/** The deliveries and secrets in PostgreSQL, with this worker's settings. */
@Injectable()
export class WebhookStore {
  readonly #seal: SecretSeal;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
  ) {
    this.#seal = secretSeal(config.webhooks.secretKeys);
  }

  /** `accountLimit`: of the running attempts of an account, if lower than the configured one. */
  claim(limit: number, leaseMs: number, accountLimit?: number): Promise<readonly ClaimedDelivery[]> {
    const { hostConcurrency: hostLimit, accountConcurrency } = this.config.webhooks;
    return claimDeliveries(this.database, {
      ...{ limit, leaseMs, hostLimit },
      accountLimit: Math.min(accountLimit ?? accountConcurrency, accountConcurrency),
    });
  }

  /** Throws an error for which `isSealBroken` is true if a secret cannot be read. */
  signingSecrets(accountId: string): Promise<readonly string[]> {
    return signingSecrets(this.database, accountId, this.#seal);
  }

  /** Returns why the endpoint was disabled by this report, or null. */
  report(delivery: ClaimedDelivery, report: ReportedAttempt): Promise<DisabledReason | null> {
    const { disableAfterMs: afterMs, disableAfterFailures: afterFailures } = this.config.webhooks;
    return reportAttempt(this.database, delivery, report, { afterMs, afterFailures });
  }
}
