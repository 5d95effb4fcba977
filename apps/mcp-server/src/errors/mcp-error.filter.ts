import type { Logger } from '@gateway/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGGER } from '../tokens.js';
import { sendError, toGatewayError } from './send-error.js';

/** Responds to every error that neither a tool nor the protocol library handles. */
@Catch()
export class McpErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    // The health check throws this itself: its body lists the failed checks.
    if (thrown instanceof ServiceUnavailableException) {
      reply.status(thrown.getStatus()).send(thrown.getResponse());
      return;
    }
    const error = toGatewayError(thrown);
    if (error.code === 'internal_error') {
      this.logger.error(
        { requestId: http.getRequest<FastifyRequest>().id, err: thrown },
        'request failed unexpectedly',
      );
    }
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    sendError(error, reply);
  }
}
