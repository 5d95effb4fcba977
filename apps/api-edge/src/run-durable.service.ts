import { type GatewayError, isGatewayError, newClaimToken, type RequestId, STORE_ORIGIN } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Dispatch } from './dispatch/dispatch.service.js';
import type { AdmittedRequest, ValidRequest } from './edge-request.js';
import { NO_BYTES, NO_EVENT, RespondLater } from './endpoints/requests/respond-later.service.js';
import { OpenWaits } from './follow-tasks/open-waits.service.js';
import type { AsyncPreference } from './http/read-preference.js';
import { checkWebhookUrl } from './http/webhook-address.js';
import { replayHeaders } from './idempotency/replay.js';
import { KeptRequests } from './keep-requests/kept-requests.service.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { RunRequest } from './run-request.service.js';
import { EDGE_CONFIG, type EdgeConfig } from './tokens.js';

const WEBHOOK_HEADER = 'x-webhook-url';

/**
 * The spine of a request whose response is taken later: admit, store, queue, respond with 202. From the store on, it needs
 * neither this edge nor its client.
 */
@Injectable()
export class RunDurable {
  constructor(
    private readonly runRequest: RunRequest,
    private readonly requests: KeptRequests,
    private readonly dispatch: Dispatch,
    private readonly settlement: EdgeSettlement,
    private readonly respondLater: RespondLater,
    private readonly waits: OpenWaits,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  /** Rejects only if nothing will run. */
  async run(valid: ValidRequest, preference: AsyncPreference, reply: FastifyReply): Promise<void> {
    this.requests.checkEnabled(valid.inBackground === true ? 'background' : 'Prefer');
    if (!readsNow(valid, preference)) return this.#run(valid, preference, reply);
    // A reader that has no place is refused before its request is admitted.
    await this.waits.run(reply, (signal) => this.#run(valid, preference, reply, signal));
  }

  /**
   * For a repeated idempotency key: its client reads the stream again, or waits again for the response. Nothing runs.
   * False: it does neither, or its first request is not kept, so the stored response is what it gets.
   */
  async takeAgain(
    { caller, ...valid }: ValidRequest,
    preference: AsyncPreference,
    requestId: RequestId,
    reply: FastifyReply,
  ): Promise<boolean> {
    const reads = readsNow(valid, preference);
    // A batch-worker follows the record, because that says what the first request cost.
    if (caller.batch !== undefined || (!reads && preference.waitMs === 0)) return false;
    const request = await this.requests.findAny(caller.key, requestId);
    if (request === undefined) return false;
    const { waitMs } = preference;
    const position = valid.inBackground === true ? NO_EVENT : NO_BYTES;
    const respond = (reading?: AbortSignal): Promise<void> =>
      this.respondLater.respondAgain(request, reply.headers(replayHeaders({ requestId })), {
        waitMs,
        reading,
        position,
      });
    await (reads ? this.waits.run(reply, respond) : respond());
    return true;
  }

  async #run(
    valid: ValidRequest,
    { waitMs, retentionMs }: AsyncPreference,
    reply: FastifyReply,
    reading?: AbortSignal,
  ): Promise<void> {
    const webhookUrl = this.#webhookOf(reply);
    const deadlineInMs = this.config.keptRequestDeadlineMs;
    const admitted = await this.runRequest.admitted({ ...valid, deadlineInMs }, reply);
    const ticket = {
      ...this.dispatch.ticketOf(admitted, newClaimToken(), STORE_ORIGIN),
      bodyIn: this.requests.placeOf(admitted),
      ...(waitMs > 0 && reading === undefined && { awaitedBy: this.config.relayAdvertisedUrl }),
      ...(valid.isStream && { isStream: true as const }),
    };
    const queuedResponse = admitted.queue?.(admitted);
    const accepted = await this.requests
      .add(admitted, ticket, { webhookUrl, queuedResponse, retentionMs })
      .catch((error: unknown) => this.#giveUp(admitted, error));
    const expected = ticket.awaitedBy !== undefined ? this.respondLater.expectEnd(admitted) : undefined;
    // A ticket that is lost here is queued by a worker's sweep.
    await this.dispatch.send(admitted, ticket).catch((error: GatewayError) => {
      if (!isGatewayError(error)) throw error;
    });
    const { recording } = valid;
    if (queuedResponse !== undefined && valid.inBackground === true) {
      const { response } = queuedResponse;
      return this.respondLater.respondQueued(accepted, reply, { response, reading, recording });
    }
    await this.respondLater.respond(accepted, reply, { waitMs, reading, recording, expected });
  }

  /** Nothing is stored, so nothing will run: the hold returns. */
  #giveUp(admitted: AdmittedRequest, error: unknown): never {
    const code = isGatewayError(error) ? error.code : 'internal_error';
    this.settlement.settle(admitted, 'failed', undefined, code);
    throw error;
  }

  #webhookOf({ request }: FastifyReply): string | null {
    const address = request.headers[WEBHOOK_HEADER];
    if (address === undefined) return null;
    return checkWebhookUrl(String(address), 'X-Webhook-Url', this.config.webhookAllowInsecure);
  }
}

/** The client gets the stream at once, and may attach to it again. */
const readsNow = (
  { inBackground, isStream }: Pick<ValidRequest, 'inBackground' | 'isStream'>,
  { isResumable }: AsyncPreference,
): boolean => isResumable || (inBackground === true && isStream);
