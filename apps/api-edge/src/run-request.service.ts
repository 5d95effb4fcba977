import type { Logger } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Admit } from './admit/admit.service.js';
import type { AdmittedRequest, ValidRequest } from './edge-request.js';
import { openBodyOf, setRequestedModel } from './http/request-context.js';
import { LeftResponses } from './idempotency/left-responses.service.js';
import type { EdgeMetrics } from './observability/metrics.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { rateHeaders, zeroCostHeaders } from './relay/response-headers.js';
import { RelayResponse } from './relay-response.service.js';
import { EDGE_METRICS, LOGGER } from './tokens.js';

/** The spine of a request: admit, then dispatch and relay. */
@Injectable()
export class RunRequest {
  constructor(
    private readonly admit: Admit,
    private readonly relayResponse: RelayResponse,
    private readonly settlement: EdgeSettlement,
    private readonly leftResponses: LeftResponses,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once the last byte is on the client's socket. Rejects only if the request was not admitted. */
  async run(valid: ValidRequest, reply: FastifyReply): Promise<void> {
    const request = withKeeping(this.leftResponses.withRecording(await this.admitted(valid, reply)));
    const { requestId, endpoint, model, isStream, admittedAtMs } = request;
    const stopTimer = this.metrics.responseSeconds.startTimer({ endpoint, model: model.id });
    await this.relayResponse.start(request, reply).done;
    const status = reply.raw.statusCode;
    stopTimer({ status: String(status) });
    const { keyId, accountId } = request.caller.key;
    const durationMs = Date.now() - admittedAtMs;
    this.logger.info(
      { requestId, accountId, keyId, endpoint, model: model.id, isStream, status, durationMs },
      'request completed',
    );
  }

  /** Admits a request, and adds the headers of its admission or refusal. Throws the refusal. */
  async admitted(valid: ValidRequest, reply: FastifyReply): Promise<AdmittedRequest> {
    setRequestedModel(reply.request, valid.model.id);
    const admitted = await this.admit.admit(valid, {
      onRate: (rate) => reply.headers(rateHeaders(rate)),
      onRefused: (balanceNanoUsd) => reply.headers(zeroCostHeaders(balanceNanoUsd)),
      onOutcomeUnknown: (unknown) => this.settlement.settle(unknown, 'failed', undefined, 'service_unavailable'),
    });
    openBodyOf(reply.request)?.arrive();
    return admitted;
  }
}

const withKeeping = (request: AdmittedRequest): AdmittedRequest =>
  request.keep === undefined ? request : { ...request, recording: request.keep(request) };
