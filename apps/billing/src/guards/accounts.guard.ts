import type { MachineToken } from '@gateway/json-service';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LEDGER_TOKEN } from '../tokens.js';

/** Admits the service `accounts` by one of the `LEDGER_TOKEN`s. An edge gets a 401: it must not credit an account. */
@Injectable()
export class AccountsGuard implements CanActivate {
  constructor(@Inject(LEDGER_TOKEN) private readonly token: MachineToken) {}

  canActivate(context: ExecutionContext): boolean {
    this.token.require(context.switchToHttp().getRequest<FastifyRequest>().headers.authorization);
    return true;
  }
}
