import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import {
  chooseOrganisation,
  closeAccount,
  type Database,
  findAccount,
  listKeyHashes,
  listOrganisations,
  openOrganisation,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { BalanceReader } from '../balance-reader.service.js';
import { AllowPerson, AllowSession } from '../guards/access.js';
import { CallerPerson, CallerSession, type PersonCaller, type SessionCaller } from '../guards/caller.js';
import { organisationView } from '../http/person-view.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { newOrganisation, ORGANISATIONS, organisationRemoval } from './organisations.description.js';

/** Each has limits of its own at the edges, so that many of them would give one person all places there. */
const MAX_OWNED = 50;

/** The organisations of a person. A session works in one of them at a time. */
@Controller('account/organisations')
export class OrganisationsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly balances: BalanceReader,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
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
    const owned = (await listOrganisations(this.database, person.id)).filter(({ role }) => role === 'owner');
    if (owned.length >= MAX_OWNED) {
      throw new GatewayError('invalid_request', `A person owns at most ${MAX_OWNED} organisations. Delete one first.`);
    }
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

  /**
   * Deletes the organisation that the session has chosen: its people leave, its keys end, what runs is cancelled, and what
   * it keeps is removed. The books stay, with a balance that cannot be spent any more.
   */
  @Describe(ORGANISATIONS.remove)
  @AllowSession('owner')
  @Delete(':id')
  async remove(@CallerSession() { account, person }: SessionCaller, @Param('id') id: string, @Query() query: unknown) {
    if (id !== account.id) throw new GatewayError('not_found', 'The session has chosen no such organisation.');
    const { name } = parse(organisationRemoval, query);
    const wanted = account.name || account.email;
    if (name !== wanted) {
      const message = `name: must be the name of the organisation, ${JSON.stringify(wanted)}`;
      throw new GatewayError('invalid_request', message, { param: 'name' });
    }
    const details = { organisation: wanted, person: person.name || person.email };
    await this.keyCacheInvalidator.fence(await listKeyHashes(this.database, { accountId: id }));
    if (!(await closeAccount(this.database, { accountId: id, personId: person.id, details }))) {
      throw new GatewayError('not_found', 'The organisation is deleted already.');
    }
    await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, { accountId: id }));
    const { balanceNanoUsd } = await this.balances.read(id);
    return { id, deleted: true, balance_usd: formatUsd(balanceNanoUsd) } as const;
  }
}
