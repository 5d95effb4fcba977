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
import { EDGE_METRICS, type EdgeMetrics } from '../edge-metrics.js';
import { LOGGER } from '../observability-doors.js';
import { dialectOf } from '../request-context.js';
import { refuse, toGatewayError } from './refuse.js';

/** Every error into the client's dialect: the only place where one becomes an answer. */
@Catch()
@Injectable()
export class RefuseFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    // The health check's own: which store is down is what it is there to tell, and no client was refused.
    if (thrown instanceof ServiceUnavailableException) reply.code(thrown.getStatus()).send(thrown.getResponse());
    else this.answer(thrown, http.getRequest<FastifyRequest>(), reply);
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = toGatewayError(thrown);
    if (error.code === 'internal_error')
      this.logger.error({ requestId: request.id, err: thrown }, 'request failed inside');
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    this.metrics.errors.inc({ code: error.code, place: 'door' });
    refuse(error, dialectOf(request), reply);
  }
}
