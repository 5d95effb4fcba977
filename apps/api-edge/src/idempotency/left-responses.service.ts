import { GatewayError, isRequestId, type KeyRecord } from '@gateway/contracts';
import { mayAsk } from '@gateway/intake';
import type { ClaimedWork } from '@gateway/redis';
import { ByteBudget } from '@gateway/serving';
import { Injectable } from '@nestjs/common';
import type { AdmittedRequest, ResponseRecording } from '../edge-request.js';
import { IdempotencyClaims } from './idempotency-claims.service.js';
import { LateRecording } from './late-recording.js';
import type { ReplayedResponse } from './replay.js';

/** Memory limit of this process for the beginnings of all running streams. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Lets a customer fetch the response of a request by its id, if its client has left, or if it had an idempotency key. */
@Injectable()
export class LeftResponses {
  readonly #memory = new ByteBudget(MAX_KEPT_BYTES);

  constructor(private readonly claims: IdempotencyClaims) {}

  /** The request with a recording, if its response is read on without its client. */
  withRecording(request: AdmittedRequest): AdmittedRequest {
    const { abortContract, outlivesClient, recording } = request;
    if (abortContract === 'stops' || outlivesClient === true || recording !== undefined) return request;
    return { ...request, recording: this.#recordingOf(request) };
  }

  /** Throws 404 if nothing is stored for this account, or the key could not have asked for it itself; 409 while the request runs, 503 if a store is away. */
  async read(
    key: KeyRecord,
    requestId: string,
  ): Promise<ReplayedResponse & { readonly balanceNanoUsd: bigint | null }> {
    const { accountId, isTest } = key;
    if (!isRequestId(requestId)) throw noResult();
    const found = await this.claims.readResult({ accountId, isTest, requestId });
    if (found.outcome === 'none') throw noResult();
    if (found.outcome === 'answered') {
      if (!mayRead(key, found.work)) throw noResult();
      return found;
    }
    throw new GatewayError('request_in_progress', 'The request is still running. Try again shortly.', {
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  #recordingOf({ requestId, caller, isStream, endpoint, model }: AdmittedRequest): ResponseRecording {
    const { accountId, isTest } = caller.key;
    return new LateRecording(isStream, {
      reserve: this.#memory.reserve,
      release: this.#memory.release,
      open: () => this.claims.recordLeft({ accountId, isTest, requestId }, { endpoint, model: model.id }),
    });
  }
}

const RETRY_AFTER_MS = 1_000;

/** Of a request of a former release, only a key without limits may read the response. */
const mayRead = (key: KeyRecord, work: ClaimedWork | undefined): boolean =>
  work === undefined ? key.models === null && key.endpoints === null : mayAsk(key, work);

const noResult = (): GatewayError =>
  new GatewayError(
    'not_found',
    'No response of this request is stored. Responses are stored for 24 hours, if they had an Idempotency-Key or if their client left a request whose abort_contract is completes.',
  );
