import { ERRORS, renderError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { errorHeaders } from '@gateway/serving';
import { type ArgumentsHost, Catch, type ExceptionFilter, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { convertError } from './convert-error.js';

const SERVER_ERROR = 500;

/** Renders every error of this service in the style of the chat-completions protocol. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    /** Whether an error says that the database is away. */
    private readonly isDatabaseUnavailable: (error: unknown) => boolean,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // Readiness has its own body, which names the store that is down.
    if (thrown instanceof ServiceUnavailableException) {
      reply.status(thrown.getStatus()).send(thrown.getResponse());
      return;
    }
    const error = convertError(thrown, this.isDatabaseUnavailable);
    const { status } = ERRORS[error.code];
    if (status >= SERVER_ERROR) this.logger.error({ err: thrown, requestId: request.id }, 'request failed');
    const record = error.toRecord();
    reply
      .status(status)
      .headers(errorHeaders(record))
      .send(renderError('a', record, request.id));
  }
}
