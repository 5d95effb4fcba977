import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Sessions } from '../sessions/sessions.service.js';
import { setVerifiedCaller } from './caller.js';

/** Admits a person with an open session, also without any organisation. An API key gets a 401. */
@Injectable()
export class PersonGuard implements CanActivate {
  constructor(private readonly sessions: Sessions) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    this.sessions.refuseChangeInView(request);
    const { organisation, ...session } = await this.sessions.requireSession(request);
    const { account = null, member = null } = organisation ?? {};
    setVerifiedCaller(request, { kind: 'person', ...session, account, member });
    return true;
  }
}
