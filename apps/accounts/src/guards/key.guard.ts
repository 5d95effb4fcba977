import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Sessions } from '../sessions/sessions.service.js';
import { setVerifiedCaller } from './caller.js';

/** Admits a program with an API key of the account, and a member with a session. It suits routes that only read. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const keyHolder = await this.sessions.findKeyHolder(request);
    setVerifiedCaller(
      request,
      keyHolder === null
        ? { kind: 'session', ...(await this.sessions.requireMember(request)) }
        : { kind: 'key', ...keyHolder },
    );
    return true;
  }
}
