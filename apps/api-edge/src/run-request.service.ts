import { GatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { RelayServer } from '@gateway/relay';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Admit } from './admit/admit.service.js';
import { Dispatch } from './dispatch/dispatch.service.js';
import { EDGE_CONFIG, type EdgeConfig } from './edge-config.js';
import { EDGE_METRICS, type EdgeMetrics } from './edge-metrics.js';
import type { AdmittedRequest, ValidRequest } from './edge-request.js';
import { LOGGER } from './observability-doors.js';
import { errorEvent, refuse } from './refuse/refuse.js';
import { nothingCharged, rateHeaders } from './relay/answer-headers.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { type AnswerPorts, RunningAnswer } from './relay/running-answer.js';
import { RunningAnswers } from './relay/running-answers.service.js';
import { RELAY_SERVER } from './relay-door.js';
import { dialectOf, setAskedModel } from './request-context.js';

/** The spine of a synchronous request: admit, dispatch, relay. It ends when the last byte is on the client's socket. */
@Injectable()
export class RunRequest {
  readonly #ports: AnswerPorts;

  constructor(
    private readonly admit: Admit,
    private readonly dispatch: Dispatch,
    private readonly running: RunningAnswers,
    settlement: EdgeSettlement,
    @Inject(RELAY_SERVER) private readonly relay: RelayServer,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#ports = {
      settle: (request, outcome, reading, code) => settlement.settle(request, outcome, reading, code),
      withdraw: (request) => void dispatch.withdraw(request),
      refuse: (error, reply) => {
        this.metrics.errors.inc({ code: error.code, place: 'head' });
        refuse(error, dialectOf(reply.request), reply);
      },
      errorEvent: (error, reply) => {
        this.metrics.errors.inc({ code: error.code, place: 'stream' });
        return errorEvent(error, dialectOf(reply.request), String(reply.request.id));
      },
      finished: (answer) => this.running.remove(answer),
    };
  }

  async run(valid: ValidRequest, reply: FastifyReply): Promise<void> {
    setAskedModel(reply.request, valid.model.id);
    const request = await this.admit.admit(valid, {
      onRate: (rate) => reply.headers(rateHeaders(rate)),
      onRefused: (balanceNanoUsd) => reply.headers(nothingCharged(balanceNanoUsd)),
      onOutcomeUnknown: (unknown) => this.#ports.settle(unknown, 'failed', undefined, 'service_unavailable'),
    });
    const stop = this.metrics.answerSeconds.startTimer({ endpoint: request.endpoint, model: request.model.id });
    const answer = this.#expect(request, reply);
    await answer.done;
    const status = reply.raw.statusCode;
    stop({ status: String(status) });
    const { keyId, accountId } = request.caller.key;
    const durationMs = Date.now() - request.admittedAtMs;
    const { requestId, endpoint, model, isStream } = request;
    this.logger.info(
      { requestId, accountId, keyId, endpoint, model: model.id, isStream, status, durationMs },
      'answered',
    );
  }

  #expect(request: AdmittedRequest, reply: FastifyReply): RunningAnswer {
    const answer = new RunningAnswer(request, reply, this.#ports, this.config.answerLimits);
    this.running.add(answer);
    const claimToken = this.dispatch.newClaimToken();
    answer.begin(this.relay.expect(request.requestId, claimToken, answer, () => request.body));
    this.dispatch.enqueue(request, claimToken).catch((error: GatewayError) => answer.giveUp(error));
    return answer;
  }
}
