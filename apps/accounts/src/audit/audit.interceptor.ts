import { isGatewayError } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { type AuditOutcome, beginAudit, type Database, endAudit, type NewAuditEntry } from '@gateway/postgres';
import { holdBack, networkOf } from '@gateway/serving';
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
import { type Caller, provedPersonOf, verifiedCallerOf } from '../guards/caller.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { DATABASE, LOGGER } from '../tokens.js';
import { AUDIT_ACTIONS } from './audit-actions.js';
import { auditDetails, auditDetailsOfStranger } from './audit-details.js';
import { ChangePace } from './change-pace.js';

/** Actions without a verified caller. The log must show guesses at passwords. */
const UNAUTHENTICATED_ACTIONS = [
  'account.register',
  'account.login',
  'person.confirm',
  'password_reset.request',
  'password_reset.complete',
  'invitation.accept',
];

/** An administrator reads an account as its viewer. Each look is recorded. */
const LOOK = 'account.look';

type Actor = Pick<NewAuditEntry, 'actor' | 'accountId' | 'personId' | 'role' | 'sessionId' | 'administrator'>;
type Signed = Pick<Extract<Caller, { kind: 'person' }>, 'account' | 'member' | 'person' | 'sessionId'>;
type ResponseBody = { readonly id?: unknown; readonly account?: { readonly id?: unknown } } | undefined;

/** The actor of a change without a verified caller, as the audit log has stored it from the first. */
const STRANGER = 'nobody';

const NO_PERSON = { personId: null, role: null, sessionId: null, administrator: null };

const personActor = ({ account, member, person, sessionId }: Signed): Actor => ({
  actor: 'person',
  accountId: account?.id ?? null,
  personId: person.id,
  role: member?.role ?? null,
  sessionId,
  administrator: null,
});

const textOr = <Other>(value: unknown, other: Other): string | Other => (typeof value === 'string' ? value : other);

/** Writes an entry before each change, and its outcome afterwards. A change whose entry cannot be written does not happen. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  readonly #pace = new ChangePace();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sessions: Sessions,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const action = AUDIT_ACTIONS[`${request.method} ${request.routeOptions.url}`] ?? null;
    if (action === null) {
      const caller = verifiedCallerOf(request);
      if (caller?.kind !== 'session' || caller.viewedBy === undefined) return next.handle();
    }
    return from(this.#audited(action ?? LOOK, request, http.getResponse<FastifyReply>(), next));
  }

  async #audited(action: string, request: FastifyRequest, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    const actor = await this.#findActor(action, request);
    if (actor === null) return lastValueFrom(next.handle(), { defaultValue: undefined });
    const isStranger = actor.actor === STRANGER;
    await this.#limit(actor, request);
    const { id, requestId } = request.params as { readonly id?: string; readonly requestId?: string };
    const entryId = await beginAudit(this.database, {
      ...actor,
      action,
      subject: id ?? requestId ?? null,
      details: detailsOf(action, request, isStranger),
      ip: request.ip,
      requestId: request.id,
    });
    try {
      const body = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const subject = provedPersonOf(request) ?? null;
      await this.#end(entryId, request, succeeded(reply.statusCode, body as ResponseBody, subject));
      return body;
    } catch (error) {
      await this.#end(entryId, request, failed(error));
      throw error;
    }
  }

  /**
   * Before the entry: nothing removes entries, so that a flood of them would fill the disk. People and the keys of their
   * organisation have separate limits: an owner revokes a key that floods. Operators have none.
   */
  async #limit({ actor, accountId, personId }: Actor, request: FastifyRequest): Promise<void> {
    try {
      if (actor === STRANGER) await this.attemptLimiter.count('stranger', networkOf(request.ip));
      else if (actor !== 'administrator') this.#pace.take(personId ?? `keys of ${accountId}`);
    } catch (error) {
      if (isGatewayError(error)) await holdBack(request, error);
      throw error;
    }
  }

  /** The guards have refused unknown callers by now. Null: a logout without a session, which changes nothing. */
  async #findActor(action: string, request: FastifyRequest): Promise<Actor | null> {
    const caller = verifiedCallerOf(request);
    if (caller?.kind === 'administrator') {
      const { id } = request.params as { readonly id?: string };
      const accountId = request.routeOptions.url?.startsWith('/admin/accounts/') === true ? (id ?? null) : null;
      return { ...NO_PERSON, actor: 'administrator', administrator: caller.name, accountId };
    }
    if (caller?.kind === 'key') return { ...NO_PERSON, actor: 'key', accountId: caller.account.id };
    if (UNAUTHENTICATED_ACTIONS.includes(action)) return { ...NO_PERSON, actor: STRANGER, accountId: null };
    if (caller?.kind === 'session' && caller.viewedBy !== undefined) {
      return { ...NO_PERSON, actor: 'administrator', administrator: caller.viewedBy, accountId: caller.account.id };
    }
    if (caller?.kind === 'session' || caller?.kind === 'person') return personActor(caller);
    return this.#findSessionActor(request);
  }

  async #findSessionActor(request: FastifyRequest): Promise<Actor | null> {
    try {
      const { organisation, ...session } = await this.sessions.requireSession(request);
      return personActor({
        ...session,
        account: organisation?.account ?? null,
        member: organisation?.member ?? null,
      });
    } catch (error) {
      if (isGatewayError(error)) return null;
      throw error;
    }
  }

  /** The change is done by now and stays. Without its outcome the entry still records the attempt. */
  async #end(entryId: bigint, request: FastifyRequest, outcome: AuditOutcome): Promise<void> {
    try {
      await endAudit(this.database, entryId, outcome);
    } catch (error) {
      this.logger.error({ err: error, requestId: request.id, ...outcome }, 'audit outcome recording failed');
    }
  }
}

function detailsOf(action: string, { url, body }: FastifyRequest, isStranger: boolean): NewAuditEntry['details'] {
  if (action === LOOK) return { path: url };
  return isStranger ? auditDetailsOfStranger(body) : auditDetails(body);
}

/** `subject`: whom the change is about, if its response has no id. */
const succeeded = (status: number, body: ResponseBody, subject: string | null): AuditOutcome => ({
  status,
  errorCode: null,
  accountId: textOr(body?.account?.id, null),
  subject: textOr(body?.id, textOr(body?.account?.id, subject)),
});

function failed(error: unknown): AuditOutcome {
  const known = isGatewayError(error) ? { status: error.row.status, errorCode: error.code } : undefined;
  const status = error instanceof HttpException ? error.getStatus() : 500;
  return { status, errorCode: null, ...known, accountId: null, subject: null };
}
