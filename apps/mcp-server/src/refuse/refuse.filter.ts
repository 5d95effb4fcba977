import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGGER, type Logger } from '../observability-door.js';
import { refuse, toGatewayError } from './refuse.js';

/** Every error that is no tool's and no protocol's leaves by here. */
@Catch()
export class RefuseFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    // The health check's own: what is down is what it is there to tell.
    if (thrown instanceof ServiceUnavailableException) {
      reply.status(thrown.getStatus()).send(thrown.getResponse());
      return;
    }
    const error = toGatewayError(thrown);
    if (error.code === 'internal_error') {
      this.logger.error({ requestId: http.getRequest<FastifyRequest>().id, err: thrown }, 'request failed inside');
    }
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    refuse(error, reply);
  }
}
