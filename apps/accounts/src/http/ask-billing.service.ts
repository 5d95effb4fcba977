import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountsConfig } from '@gateway/config';
import {
  type CreditRequest,
  ERRORS,
  type ErrorCode,
  GatewayError,
  type PostedCredit,
  type PostedReversal,
  postedCredit,
  postedReversal,
  type ReversalRequest,
} from '@gateway/contracts';
import { type HttpPools, isHttpFailure, type JsonRequest, type JsonResponse, jsonRequest } from '@gateway/http';
import type { Logger } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ACCOUNTS_CONFIG, HTTP_POOLS, LOGGER } from '../tokens.js';
import { type ReconciliationReport, reconciliationReport } from './reconciliation-report.js';

const ATTEMPT_TIMEOUT_MS = 5_000;
/** A deep reconciliation reads the whole ledger. */
const REPORT_TIMEOUT_MS = 60_000;
/** While a replica of billing is replaced. */
const BACKOFF_MS = [100, 400, 1_600];
const TRANSIENT_STATUSES: readonly number[] = [502, 503, 504];
const NOT_RETRIED: readonly number[] = [];

const refusal = z.object({
  error: z.object({
    code: z.string().refine((code): code is ErrorCode => code in ERRORS),
    message: z.string(),
    param: z.string().nullish(),
  }),
});

const unavailable = () =>
  new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', { retryAfterMs: 1_000 });

interface Question extends Pick<JsonRequest, 'method' | 'body'> {
  readonly path: string;
  readonly timeoutMs: number;
  readonly backoffMs: readonly number[];
}

/**
 * Asks billing, the only writer of the ledger. Each request may arrive twice: billing posts a reference once.
 * Throws billing's own refusal, and `service_unavailable` if billing cannot be reached.
 */
@Injectable()
export class AskBilling {
  constructor(
    @Inject(HTTP_POOLS) private readonly pools: HttpPools,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'billingUrl' | 'ledgerToken'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async credit(accountId: string, credit: CreditRequest): Promise<PostedCredit> {
    return postedCredit.parse(await this.#post(`${pathOf(accountId)}/credits`, credit));
  }

  async reverse(accountId: string, reversal: ReversalRequest): Promise<PostedReversal> {
    return postedReversal.parse(await this.#post(`${pathOf(accountId)}/reversals`, reversal));
  }

  /** What the last comparison of Redis with the ledger found. `deep`: reads the whole ledger. */
  async reconciliation(deep: boolean): Promise<ReconciliationReport> {
    const path = `/internal/reconciliation?deep=${deep}`;
    const report = await this.#ask({ method: 'GET', path, timeoutMs: REPORT_TIMEOUT_MS, backoffMs: NOT_RETRIED });
    return reconciliationReport.parse(report);
  }

  #post(path: string, body: object): Promise<unknown> {
    return this.#ask({ method: 'POST', path, body, timeoutMs: ATTEMPT_TIMEOUT_MS, backoffMs: BACKOFF_MS });
  }

  async #ask(question: Question): Promise<unknown> {
    let response = await this.#send(question);
    for (const waitMs of question.backoffMs) {
      if (response !== null && !TRANSIENT_STATUSES.includes(response.status)) break;
      await sleep(waitMs);
      response = await this.#send(question);
    }
    if (response?.status === 200) return response.body;
    const refused = refusal.safeParse(response?.body).data?.error;
    if (refused !== undefined && refused.code !== 'invalid_api_key') {
      throw new GatewayError(refused.code, refused.message, refused.param == null ? {} : { param: refused.param });
    }
    this.logger.error({ path: question.path, status: response?.status ?? null }, 'request to billing failed');
    throw unavailable();
  }

  /** Null: no response arrived. */
  async #send({ method, path, body, timeoutMs }: Question): Promise<JsonResponse | null> {
    try {
      return await jsonRequest(this.pools, {
        method,
        url: `${this.config.billingUrl}${path}`,
        headers: { authorization: `Bearer ${this.config.ledgerToken}` },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      if (!isHttpFailure(error)) throw error;
      this.logger.warn({ err: error, path }, 'billing did not respond');
      return null;
    }
  }
}

const pathOf = (accountId: string): string => `/internal/accounts/${encodeURIComponent(accountId)}`;
