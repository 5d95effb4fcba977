import type { Logger } from '@gateway/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
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
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
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
