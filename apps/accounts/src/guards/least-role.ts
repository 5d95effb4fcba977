import { GatewayError, includesRole, type MemberRole } from '@gateway/contracts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, type Observable } from 'rxjs';
import { type Caller, verifiedCallerOf } from './caller.js';

/**
 * Refuses members whose role does not include `name` with 403, and their keys: no scope gives a key more than its member
 * has. Keys of the organisation pass: an owner has chosen their scopes. Guards run before the audit interceptor, and the
 * audit log must record this refusal. So this is an interceptor.
 */
export class LeastRole implements NestInterceptor {
  /** `accessTable` shows it. */
  constructor(readonly name: MemberRole) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => {
      const caller = verifiedCallerOf(context.switchToHttp().getRequest<FastifyRequest>());
      const role = roleOf(caller);
      if (role === null || includesRole(role, this.name)) return next.handle();
      throw new GatewayError('permission_denied', this.#reason(caller, role));
    });
  }

  #reason(caller: Caller | undefined, role: MemberRole): string {
    if (caller?.kind === 'key') {
      return `This key is that of a member with the role ${role}. This needs the role ${this.name}, or a key of the organisation.`;
    }
    return caller?.kind === 'session' && caller.viewedBy !== undefined
      ? `An administrator reads an account as its viewer. This needs a member with the role ${this.name}.`
      : `Your role in this organisation is ${role}. This needs the role ${this.name}; an owner can give it to you.`;
  }
}

/** Null: no member asks. */
function roleOf(caller: Caller | undefined): MemberRole | null {
  if (caller?.kind === 'session') return caller.member.role;
  return caller?.kind === 'key' ? caller.role : null;
}
