import { ERRORS, type ErrorCode, type GatewayError, renderError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { errorHeaders, refusalOf, type UnidentifiedClients } from '@gateway/serving';
import { type ArgumentsHost, Catch, type ExceptionFilter, ServiceUnavailableException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { convertError } from './convert-error.js';

const SERVER_ERROR = 500;
/** A known client gets them too, but rarely: it logs in, or corrects the path. */
const FOR_UNIDENTIFIED: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'method_not_allowed']);

/** Renders every error of this service in the style of the chat-completions protocol. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    /** Whether an error says that the database is away. */
    private readonly isDatabaseUnavailable: (error: unknown) => boolean,
    /** Limits requests without a valid session or key, and to unknown paths, by address. Undefined: only our services call. */
    private readonly unidentified?: UnidentifiedClients,
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
    if (ERRORS[error.code].status >= SERVER_ERROR) {
      this.logger.error({ err: thrown, requestId: request.id }, 'request failed');
    }
    if (this.unidentified === undefined || !(request.is404 || FOR_UNIDENTIFIED.has(error.code))) {
      send(error, reply);
      return;
    }
    void refusalOf(this.unidentified.check(request), error).then(
      (refusal) => reply.raw.destroyed || send(convertError(refusal, this.isDatabaseUnavailable), reply),
    );
  }
}

function send(error: GatewayError, reply: FastifyReply): void {
  const record = error.toRecord();
  reply
    .status(ERRORS[error.code].status)
    .headers(errorHeaders(record))
    .send(renderError('a', record, reply.request.id));
}
