import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { chooseOrganisation, type Database, findAccount, listOrganisations, openOrganisation } from '@gateway/postgres';
import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { AllowPerson } from '../guards/access.js';
import { CallerPerson, type PersonCaller } from '../guards/caller.js';
import { organisationView } from '../http/person-view.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { newOrganisation, ORGANISATIONS } from './organisations.description.js';

/** The organisations of a person. A session works in one of them at a time. */
@Controller('account/organisations')
export class OrganisationsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  @Describe(ORGANISATIONS.list)
  @AllowPerson()
  @Get()
  async list(@CallerPerson() { person, account }: PersonCaller) {
    const organisations = await listOrganisations(this.database, person.id);
    return { data: organisations.map((one) => organisationView(one, account)), next_cursor: null };
  }

  /** Creates a further organisation, whose only owner is the caller. */
  @Describe(ORGANISATIONS.create)
  @AllowPerson()
  @Post()
  @HttpCode(201)
  async create(@CallerPerson() { person }: PersonCaller, @Body() body: unknown) {
    const given = parse(newOrganisation, body);
    await this.attemptLimiter.count('organisation', person.id);
    const id = await openOrganisation(this.database, person, { name: given.name, timeZone: given.time_zone });
    const account = await findAccount(this.database, id);
    if (account === null) throw new Error(`the organisation ${id} was just created and is gone`);
    return organisationView({ account, role: 'owner' }, null);
  }

  /** From now on the session works in this organisation. */
  @Describe(ORGANISATIONS.choose)
  @AllowPerson()
  @Post(':id/choose')
  @HttpCode(200)
  async choose(@CallerPerson() { person, sessionId }: PersonCaller, @Param('id') id: string) {
    const found = (await listOrganisations(this.database, person.id)).find(({ account }) => account.id === id);
    if (found === undefined) throw new GatewayError('not_found', 'There is no such organisation.');
    await chooseOrganisation(this.database, sessionId, id);
    return organisationView(found, found.account);
  }
}
