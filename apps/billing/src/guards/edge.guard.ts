import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setVerifiedCaller } from './caller.js';
import { invalidMachineToken, MachineTokens } from './machine-tokens.service.js';

/** Admits an edge by one of the `INTERNAL_TOKEN`s. Everybody else gets a 401, the administrator too. */
@Injectable()
export class EdgeGuard implements CanActivate {
  constructor(private readonly tokens: MachineTokens) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (!this.tokens.isEdge(request.headers.authorization)) throw invalidMachineToken();
    setVerifiedCaller(request, { kind: 'edge' });
    return true;
  }
}
