import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setVerifiedCaller } from './caller.js';
import { invalidMachineToken, MachineTokens } from './machine-tokens.service.js';

/** Admits the holder of `ADMIN_TOKEN`. Everybody else gets a 401. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly tokens: MachineTokens) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!this.tokens.isAdmin(request.headers.authorization)) throw invalidMachineToken();
    setVerifiedCaller(request, { kind: 'administrator' });
    return true;
  }
}
