import type { MachineToken } from '@gateway/json-service';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ADMIN_TOKEN } from '../tokens.js';
import { setVerifiedCaller } from './caller.js';

/** Admits the holder of `ADMIN_TOKEN`. Everybody else gets a 401. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(@Inject(ADMIN_TOKEN) private readonly token: MachineToken) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.token.require(request.headers.authorization);
    setVerifiedCaller(request, { kind: 'administrator', name: null });
    return true;
  }
}
