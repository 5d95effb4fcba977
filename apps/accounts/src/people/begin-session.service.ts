import { GatewayError } from '@gateway/contracts';
import { type Database, findPerson, listOrganisations } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { accountView } from '../http/account-view.js';
import { organisationView, personView } from '../http/person-view.js';
import { KnownNetworks } from '../sessions/known-networks.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { DATABASE } from '../tokens.js';
import type { openedSession } from './people.description.js';

/** Opens a session and answers with everything that a client shows first. */
@Injectable()
export class BeginSession {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly knownNetworks: KnownNetworks,
  ) {}

  /** `accountId`: the organisation to choose; undefined: the one that the person belongs to longest. */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    personId: string,
    accountId?: string,
  ): Promise<z.output<typeof openedSession>> {
    const person = await findPerson(this.database, personId);
    if (person === null) throw new Error(`the person ${personId} has just been verified and is gone`);
    const organisations = await listOrganisations(this.database, personId);
    const chosen = organisations.find(({ account }) => accountId === undefined || account.id === accountId);
    if (accountId !== undefined && chosen === undefined) {
      throw new GatewayError('not_found', 'There is no such organisation.', { param: 'account_id' });
    }
    await this.knownNetworks.remember(person.email, networkOf(request.ip));
    const account = chosen?.account ?? null;
    const token = await this.sessions.open(request, reply, { personId, accountId: account?.id ?? null });
    return {
      account: account === null ? null : accountView(account),
      person: personView(person),
      organisations: organisations.map((organisation) => organisationView(organisation, account)),
      token,
    };
  }
}
