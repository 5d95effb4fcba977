import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Sessions } from '../sessions/sessions.service.js';
import { setVerifiedCaller } from './caller.js';

/** Admits a member with an open session, as a cookie or as a bearer token. An API key gets a 401. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    setVerifiedCaller(request, { kind: 'session', ...(await this.sessions.requireMember(request)) });
    return true;
  }
}
