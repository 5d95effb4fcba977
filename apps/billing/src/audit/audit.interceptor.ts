import { isGatewayError } from '@gateway/contracts';
import { type AuditOutcome, beginAudit, type Database, endAudit, type NewAuditEntry } from '@gateway/postgres';
import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DATABASE } from '../billing-doors.js';
import { LOGGER, type Logger } from '../observability-door.js';
import { Sessions } from '../sessions.service.js';
import { Tokens } from '../tokens.service.js';
import { ACTIONS } from './actions.js';
import { detailsOf } from './details-of.js';

/** What anybody may try: guessing at it is worth a line too. */
const OF_NOBODY = ['account.register', 'account.login'];

type Asked = Pick<NewAuditEntry, 'actor' | 'accountId'>;
type Answered = { readonly id?: unknown; readonly account?: { readonly id?: unknown } } | undefined;

const textOr = <Other>(value: unknown, other: Other): string | Other => (typeof value === 'string' ? value : other);

/** Writes every change down before it is made, and afterwards how it ended. What cannot be written is not done. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const action = ACTIONS[`${request.method} ${request.routeOptions.url}`] ?? null;
    if (action === null) return next.handle();
    return from(this.#audited(action, request, http.getResponse<FastifyReply>(), next));
  }

  async #audited(action: string, request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const asked = await this.#whoAsks(action, request);
    // Nobody in particular was refused: that is in the logs.
    if (asked === null) return lastValueFrom(next.handle(), { defaultValue: undefined });
    const { id: subject } = request.params as { readonly id?: string };
    const entryId = await beginAudit(this.database, {
      ...asked,
      action,
      subject: subject ?? null,
      details: detailsOf(request.body),
      ip: request.ip,
      requestId: request.id,
    });
    try {
      const answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
      await this.#end(entryId, request, succeeded(reply.statusCode, answer as Answered));
      return answer;
    } catch (error) {
      await this.#end(entryId, request, failed(error));
      throw error;
    }
  }

  async #whoAsks(action: string, request: FastifyRequest): Promise<Asked | null> {
    if (request.routeOptions.url?.startsWith('/admin/') === true) {
      const { id } = request.params as { readonly id?: string };
      return this.tokens.isAdmin(request.headers.authorization)
        ? { actor: 'administrator', accountId: id ?? null }
        : null;
    }
    if (OF_NOBODY.includes(action)) return { actor: 'nobody', accountId: null };
    const account = await this.sessions.accountOf(request).catch((error: unknown) => {
      if (isGatewayError(error)) return null;
      throw error;
    });
    return account === null ? null : { actor: 'person', accountId: account.id };
  }

  /** It has been done by now, and is not undone because its end cannot be written: the entry tells that it was asked. */
  async #end(entryId: bigint, request: FastifyRequest, outcome: AuditOutcome): Promise<void> {
    try {
      await endAudit(this.database, entryId, outcome);
    } catch (error) {
      this.logger.error({ err: error, requestId: request.id, ...outcome }, 'the outcome of a change was not audited');
    }
  }
}

const succeeded = (status: number, answer: Answered): AuditOutcome => ({
  status,
  errorCode: null,
  accountId: textOr(answer?.account?.id, null),
  subject: textOr(answer?.id, textOr(answer?.account?.id, null)),
});

function failed(error: unknown): AuditOutcome {
  const known = isGatewayError(error) ? { status: error.row.status, errorCode: error.code as string } : undefined;
  const status = error instanceof HttpException ? error.getStatus() : 500;
  return { status, errorCode: null, ...known, accountId: null, subject: null };
}
