import { GatewayError } from '@gateway/contracts';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mayReadAccount, requireAccountCaller } from './caller.js';
import { KeyGuard } from './key.guard.js';

/** Admits a person with a session, and a program with a key that has the scope `account:read`. Other keys get a 403. */
@Injectable()
export class AccountReadGuard extends KeyGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    await super.canActivate(context);
    if (mayReadAccount(requireAccountCaller(context.switchToHttp().getRequest<FastifyRequest>()))) return true;
    throw new GatewayError('permission_denied', 'This key reads only its own requests: add the scope `account:read`.');
  }
}
