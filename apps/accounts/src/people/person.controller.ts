import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { changePerson, type Database, listOrganisations } from '@gateway/postgres';
import { Body, Controller, Get, Inject, Patch, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AllowPerson } from '../guards/access.js';
import { CallerPerson, type PersonCaller } from '../guards/caller.js';
import { personView } from '../http/person-view.js';
import { Administrators } from '../sessions/administrators.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { DATABASE } from '../tokens.js';
import { PEOPLE, personChange, type sessionRecord } from './people.description.js';

/** What a person says of himself or herself, in all organisations. */
@Controller('account')
export class PersonController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly administrators: Administrators,
    private readonly sessions: Sessions,
  ) {}

  /** Everything that a client shows first: who, in which organisation, and what that permits. */
  @Describe(PEOPLE.session)
  @AllowPerson()
  @Get('session')
  async session(
    @CallerPerson() { person, account, member }: PersonCaller,
    @Req() request: FastifyRequest,
  ): Promise<z.output<typeof sessionRecord>> {
    const [organisations, administrator, view] = await Promise.all([
      listOrganisations(this.database, person.id),
      this.administrators.isAdministrator(person.id),
      this.sessions.findView(request),
    ]);
    const shown = view?.account ?? account;
    return {
      person: { id: person.id, email: person.email, name: person.name, confirmed: person.confirmedAt !== null },
      account: shown === null ? null : { id: shown.id, name: shown.name, time_zone: shown.timeZone },
      role: view === null ? (member?.role ?? null) : 'viewer',
      accounts: organisations.map((one) => ({ id: one.account.id, name: one.account.name, role: one.role })),
      administrator,
      view: view === null ? null : { id: view.id, reason: view.reason, expires_at: view.expiresAt.toISOString() },
    };
  }

  @Describe(PEOPLE.show)
  @AllowPerson()
  @Get('person')
  show(@CallerPerson() { person }: PersonCaller) {
    return personView(person);
  }

  @Describe(PEOPLE.change)
  @AllowPerson()
  @Patch('person')
  async change(@CallerPerson() { person }: PersonCaller, @Body() body: unknown) {
    const given = parse(personChange, body);
    const changed = await changePerson(this.database, person.id, {
      ...(given.name !== undefined && { name: given.name }),
      ...(given.locale !== undefined && { locale: given.locale }),
      ...(given.time_zone !== undefined && { timeZone: given.time_zone }),
    });
    return personView(changed);
  }
}
