import {
  changesPart,
  GatewayError,
  inputOf,
  type SyncTicket,
  type TicketQueueKind,
  type Vendor,
} from '@gateway/contracts';
import type { SyncQueue } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest } from '../edge-request.js';
import { requestChanges } from '../http/request-changes.js';
import { longBodyBytes } from '../long-body.js';
import { EDGE_CONFIG, type EdgeConfig, TICKET_QUEUES } from '../tokens.js';

export type TicketQueues = Readonly<Record<TicketQueueKind, ReadonlyMap<Vendor, SyncQueue>>>;

/** Queues one ticket for each admitted request, by vendor. */
@Injectable()
export class Dispatch {
  constructor(
    @Inject(TICKET_QUEUES) private readonly queues: TicketQueues,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  /** Throws 503 if the queue is unavailable. Nothing has run then, and the caller settles the hold. */
  enqueue(request: AdmittedRequest, claimToken: string): Promise<void> {
    return this.send(request, this.ticketOf(request, claimToken, this.config.relayAdvertisedUrl));
  }

  /** `replyTo`: where the request waits for its worker. */
  ticketOf(request: AdmittedRequest, claimToken: string, replyTo: string): SyncTicket {
    const { key, batch } = request.caller;
    const bodyBytes = longBodyBytes(request);
    return {
      schemaVersion: 1,
      requestId: request.requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      endpoint: request.endpoint,
      model: request.model.id,
      price: request.price,
      holdNanoUsd: request.holdNanoUsd.toString(),
      ...(request.outputCap !== undefined && { outputCap: request.outputCap }),
      deadlineMs: request.deadlineMs,
      admittedAtMs: request.admittedAtMs,
      replyTo,
      claimToken,
      abortContract: request.abortContract,
      ...(request.abortContract === 'completes' && { heldInput: heldInputOf(request) }),
      ...(key.isTest && { isTest: true }),
      ...(batch !== undefined && { isOfBatch: true }),
      ...(request.idempotencyHash !== undefined && { idempotencyHash: request.idempotencyHash }),
      ...(request.idempotencyKey !== undefined && { idempotencyKey: request.idempotencyKey }),
      ...changesPart(requestChanges(request)),
      queuedAtMs: Date.now(),
      ...(request.traceparent !== undefined && { traceparent: request.traceparent }),
      ...(bodyBytes !== undefined && { bodyBytes }),
      ...(request.forward !== undefined && { forward: request.forward }),
    };
  }

  /** The same for a ticket that is built already. */
  async send(request: AdmittedRequest, ticket: SyncTicket): Promise<void> {
    try {
      await this.#queueOf(request).enqueue(ticket);
    } catch {
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    }
  }

  /** Removes a ticket that no worker has claimed. Never rejects: the relay denies the claim of a worker that has it. */
  async withdraw(request: AdmittedRequest): Promise<void> {
    await this.#queueOf(request)
      .remove(request.requestId)
      .catch(() => undefined);
  }

  /** Video tasks have queues and workers of their own, and so have test keys. */
  #queueOf({ endpoint, model: { vendor }, caller }: AdmittedRequest): SyncQueue {
    const kind = endpoint === 'videos.generations' ? 'video' : 'sync';
    const queue = this.queues[caller.key.isTest ? (`${kind}-test` as const) : kind].get(vendor);
    if (queue === undefined) throw new Error(`no queue for ${endpoint} of ${vendor}`);
    return queue;
  }
}

/** Charged if the response of a client that left is lost: the vendor bills the prompt in any case. */
function heldInputOf({ worstCase }: AdmittedRequest): NonNullable<SyncTicket['heldInput']> {
  const { units, inputTokensTotal } = inputOf(worstCase);
  return { units, inputTokensTotal };
}
