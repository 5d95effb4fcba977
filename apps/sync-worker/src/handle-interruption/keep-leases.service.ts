import type { AccountId, KeyId, RequestId, SyncTicket } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { type AdmissionStore, HOLD_MS, LEASE_MS, type RunningRequest } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ADMISSION_STORE, LOGGER } from '../tokens.js';

/** A lease lasts a minute, so it survives two renewals that fail. */
const RENEW_EVERY_MS = 15_000;

/** Renews holds and leases of tickets that continue without client and edge: their money and their place stay taken. */
@Injectable()
export class KeepLeases implements OnModuleInit, OnApplicationShutdown {
  readonly #kept = new Map<string, RunningRequest>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'renew'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#timer = setInterval(() => this.#renew([...this.#kept.values()]), RENEW_EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Renews at once, and then until `release`. */
  keep({ requestId, accountId, keyId }: SyncTicket): void {
    const request = {
      requestId: requestId as RequestId,
      accountId: accountId as AccountId,
      keyId: keyId as KeyId,
    };
    this.#kept.set(requestId, request);
    this.#renew([request]);
  }

  release({ requestId }: SyncTicket): void {
    this.#kept.delete(requestId);
  }

  #renew(requests: readonly RunningRequest[]): void {
    if (requests.length === 0) return;
    this.store.renew(requests, LEASE_MS, HOLD_MS).catch((error: unknown) => {
      this.logger.warn({ err: error, count: requests.length }, 'renewing detached requests failed, will be retried');
    });
  }
}
