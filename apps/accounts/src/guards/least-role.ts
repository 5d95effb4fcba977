import { GatewayError, includesRole, type MemberRole } from '@gateway/contracts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, type Observable } from 'rxjs';
import { verifiedCallerOf } from './caller.js';

/**
 * Refuses members whose role does not include `name` with 403. Keys pass: their scopes decide. Guards run before the audit
 * interceptor, and the audit log must record this refusal. So this is an interceptor.
 */
export class LeastRole implements NestInterceptor {
  /** `accessTable` shows it. */
  constructor(readonly name: MemberRole) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => {
      const caller = verifiedCallerOf(context.switchToHttp().getRequest<FastifyRequest>());
      if (caller?.kind !== 'session' || includesRole(caller.member.role, this.name)) return next.handle();
      throw new GatewayError(
        'permission_denied',
        caller.viewedBy === undefined
          ? `Your role in this organisation is ${caller.member.role}. This needs the role ${this.name}; an owner can give it to you.`
          : `An administrator reads an account as its viewer. This needs a member with the role ${this.name}.`,
      );
    });
  }
}
