import type { IncomingMessage } from 'node:http';
import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Injectable,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalCounter } from '../edge-request.js';
import { errorDialectOf } from '../http/request-context.js';
import type { EdgeMetrics } from '../observability/metrics.js';
import { EDGE_METRICS, LOGGER, REFUSAL_COUNTER } from '../tokens.js';
import { RecordRefusals } from './record-refusals.service.js';
import { sendError, toGatewayError } from './send-error.js';

/** For batch-worker, which reads no dialect. */
const BUDGET_HEADER = 'x-batch-budget';

/** Renders every thrown error in the client's dialect. */
@Catch()
@Injectable()
export class EdgeErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
    @Inject(REFUSAL_COUNTER) private readonly refusals: RefusalCounter,
    @Inject(RecordRefusals) private readonly records: Pick<RecordRefusals, 'add'>,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    // The health check throws it. Its body names the store that is down, and no client error is counted.
    if (thrown instanceof ServiceUnavailableException) reply.code(thrown.getStatus()).send(thrown.getResponse());
    else this.refuse(thrown, http.getRequest<FastifyRequest>(), reply);
  }

  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = hasLeftWhileSending(request.raw, thrown) ? clientClosed() : toGatewayError(thrown);
    if (isForOperators(error, thrown)) this.logger.error({ requestId: request.id, err: thrown }, 'request failed');
    this.refusals.count(request, error.code);
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    this.records.add(request, error);
    this.metrics.errors.inc({ code: error.code, place: 'door' });
    if (error.code === 'batch_budget_exceeded') reply.header(BUDGET_HEADER, 'exceeded');
    const waitS = batchWaitS(error);
    if (waitS !== undefined) reply.header('retry-after', waitS);
    sendError(error, errorDialectOf(request), reply);
  }
}

/** A fault of ours, such as a full disk: the response does not show the reason. */
const isForOperators = (error: GatewayError, thrown: unknown): boolean =>
  error.code === 'internal_error' || (error.code === 'service_unavailable' && !isGatewayError(thrown));

/** For batch-worker, whose credential this edge may know later. No other client may repeat a wrong key. */
const batchWaitS = ({ code, details: { retryAfterMs } }: GatewayError): number | undefined =>
  code === 'invalid_api_key' && retryAfterMs !== undefined ? Math.ceil(retryAfterMs / 1_000) : undefined;

/** A client that leaves in the middle of its body is no fault of ours. Node.js then throws a plain `aborted`. */
const hasLeftWhileSending = ({ destroyed, complete }: IncomingMessage, thrown: unknown): boolean =>
  destroyed && !complete && !isGatewayError(thrown);

const clientClosed = (): GatewayError => new GatewayError('client_closed_request', 'The client closed the request.');
