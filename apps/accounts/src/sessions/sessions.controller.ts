import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { type Database, endOtherSessions, endSession, listSessions, type SessionRecord } from '@gateway/postgres';
import { Controller, Delete, Get, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { AllowPerson } from '../guards/access.js';
import { CallerPerson, type PersonCaller } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { SESSIONS, type sessionLine } from './sessions.description.js';

const view = (session: SessionRecord, ownId: string): z.output<typeof sessionLine> => ({
  id: session.id,
  is_current: session.id === ownId,
  user_agent: session.userAgent,
  ip: session.ip,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
});

/** Where a person is logged in. */
@Controller('account/sessions')
export class SessionsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(SESSIONS.list)
  @AllowPerson()
  @Get()
  async list(@CallerPerson() { person, sessionId }: PersonCaller) {
    const sessions = await listSessions(this.database, person.id, new Date());
    return { data: sessions.map((session) => view(session, sessionId)), next_cursor: null };
  }

  /** Ends all sessions but the caller's. */
  @Describe(SESSIONS.endOthers)
  @AllowPerson()
  @Delete()
  async endOthers(@CallerPerson() { person, sessionId }: PersonCaller) {
    return { ended: await endOtherSessions(this.database, person.id, sessionId) };
  }

  @Describe(SESSIONS.end)
  @AllowPerson()
  @Delete(':id')
  async end(@CallerPerson() { person }: PersonCaller, @Param('id') id: string) {
    if (await endSession(this.database, person.id, id)) return { id, deleted: true };
    throw new GatewayError('not_found', 'There is no such session.');
  }
}
