import { GatewayError } from '@gateway/contracts';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, type Observable } from 'rxjs';
import { requireSessionCaller } from './caller.js';

/**
 * Refuses a change by a suspended account with 403. Guards run before the audit interceptor, and the audit log must
 * record this refusal. So this is an interceptor.
 */
@Injectable()
export class ActiveAccountInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return defer(() => {
      const { account } = requireSessionCaller(context.switchToHttp().getRequest<FastifyRequest>());
      if (account.suspendedAt !== null) throw new GatewayError('permission_denied', 'This account is suspended.');
      return next.handle();
    });
  }
}
