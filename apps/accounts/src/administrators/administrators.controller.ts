import { randomBytes } from 'node:crypto';
import { Describe } from '@gateway/api-description';
import { GatewayError, newAdministratorId } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  type AdministratorRecord,
  createAdministrator,
  type Database,
  findPersonByEmail,
  listAdministrators,
  revokeAdministrator,
} from '@gateway/postgres';
import { Body, Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { CallerAdministrator } from '../guards/caller.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { hashAdministratorToken } from '../sessions/administrators.service.js';
import { DATABASE } from '../tokens.js';
import { ADMINISTRATORS, type AdministratorView, newAdministrator } from './administrators.description.js';

const view = (administrator: AdministratorRecord): AdministratorView => ({
  id: administrator.id,
  name: administrator.name,
  person_id: administrator.personId,
  created_by: administrator.createdBy,
  created_at: administrator.createdAt.toISOString(),
  revoked_at: administrator.revokedAt?.toISOString() ?? null,
});

/** Administrators with names, so that the audit log shows who did what. */
@Controller('admin/administrators')
export class AdministratorsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(ADMINISTRATORS.list)
  @AllowAdmin()
  @Followable()
  @Get()
  async list() {
    return { data: (await listAdministrators(this.database)).map(view), next_cursor: null };
  }

  @Describe(ADMINISTRATORS.create)
  @AllowAdmin()
  @Post()
  async create(@Body() body: unknown, @CallerAdministrator() createdBy: string) {
    const { name, email } = parse(newAdministrator, body);
    const personId = email === undefined ? null : await this.#personOf(email);
    const token = personId === null ? `admin_${randomBytes(32).toString('base64url')}` : null;
    const created = await createAdministrator(this.database, {
      id: newAdministratorId(),
      name,
      personId,
      createdBy,
      tokenSha256: token === null ? null : hashAdministratorToken(token),
    });
    if (created !== null) return { ...view(created), token };
    throw new GatewayError('invalid_request', 'name: an administrator has this name, or is this person', {
      param: 'name',
    });
  }

  /** The token and the sessions of the person stop working at once. */
  @Describe(ADMINISTRATORS.revoke)
  @AllowAdmin()
  @Delete(':id')
  async revoke(@Param('id') id: string) {
    const revoked = await revokeAdministrator(this.database, id);
    if (revoked === null) throw new GatewayError('not_found', 'There is no such administrator.');
    return view(revoked);
  }

  async #personOf(email: string): Promise<string> {
    const person = await findPersonByEmail(this.database, email);
    if (person !== null) return person.id;
    throw new GatewayError('invalid_request', 'email: must be the address of a registered person', { param: 'email' });
  }
}
