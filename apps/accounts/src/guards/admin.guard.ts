import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Administrators } from '../sessions/administrators.service.js';
import { setVerifiedCaller } from './caller.js';

/** Admits administrators: by `ADMIN_TOKEN`, by a token of their own, or by the session of their person. Others get a 401. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly administrators: Administrators) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    setVerifiedCaller(request, { kind: 'administrator', name: await this.administrators.requireName(request) });
    return true;
  }
}
