import { type GatewayError, newClaimToken } from '@gateway/contracts';
import type { RelayServer } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Dispatch } from './dispatch/dispatch.service.js';
import type { AdmittedRequest } from './edge-request.js';
import { renderErrorEvent, sendError } from './errors/send-error.js';
import { errorDialectOf, requestedModelOf } from './http/request-context.js';
import type { EdgeMetrics } from './observability/metrics.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { type ResponsePorts, RunningResponse } from './relay/running-response.js';
import { RunningResponses } from './relay/running-responses.service.js';
import { EDGE_CONFIG, EDGE_METRICS, type EdgeConfig, RELAY_SERVER } from './tokens.js';

/** Dispatches an admitted request and relays the worker's response to the client. */
@Injectable()
export class RelayResponse {
  readonly #ports: ResponsePorts;

  constructor(
    private readonly dispatch: Dispatch,
    private readonly running: RunningResponses,
    settlement: EdgeSettlement,
    @Inject(RELAY_SERVER) private readonly relay: RelayServer,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(EDGE_METRICS) metrics: EdgeMetrics,
  ) {
    this.#ports = {
      settle: (request, outcome, reading, code) => settlement.settle(request, outcome, reading, code),
      settleLost: (request, outcome, reading) => settlement.settleLost(request, outcome, reading),
      withdraw: (request) => void dispatch.withdraw(request),
      sendError: (error, reply) => {
        metrics.errors.inc({ code: error.code, place: 'head' });
        sendError(error, errorDialectOf(reply.request), reply);
      },
      renderErrorEvent: (error, { request }, sent) => {
        metrics.errors.inc({ code: error.code, place: 'stream' });
        const [dialect, model] = [errorDialectOf(request), requestedModelOf(request)];
        return renderErrorEvent(error, { dialect, requestId: String(request.id), model, sent });
      },
      finished: (response) => running.remove(response),
    };
  }

  /** Expects the worker's claim before the ticket is queued, so that no claim comes too early. */
  start(request: AdmittedRequest, reply: FastifyReply): RunningResponse {
    const response = new RunningResponse(request, reply, this.#ports, this.config.responseLimits);
    this.running.add(response);
    const claimToken = newClaimToken();
    response.begin(this.relay.expect(request.requestId, claimToken, response, () => request.body));
    this.dispatch.enqueue(request, claimToken).catch((error: GatewayError) => response.giveUp(error));
    return response;
  }
}
