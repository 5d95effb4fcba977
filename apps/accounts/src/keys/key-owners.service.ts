import { GatewayError } from '@gateway/contracts';
import { type Database, findMember } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { SessionCaller } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';

/** To whom a key may belong. */
@Injectable()
export class KeyOwners {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Not given: the organisation's own for an owner, else the caller's. */
  async ofNewKey(caller: SessionCaller, memberId: string | null | undefined): Promise<string | null> {
    if (memberId === undefined) return caller.member.role === 'owner' ? null : caller.member.id;
    return this.#checked(caller, memberId);
  }

  /** Undefined: the key stays whose it is. */
  async ofChangedKey(caller: SessionCaller, memberId: string | null | undefined): Promise<string | null | undefined> {
    return memberId === undefined ? undefined : this.#checked(caller, memberId);
  }

  async #checked({ account, member }: SessionCaller, memberId: string | null): Promise<string | null> {
    if (memberId === member.id) return memberId;
    if (member.role !== 'owner') {
      throw new GatewayError('permission_denied', 'Only an owner gives keys to others or to the organisation.');
    }
    if (memberId === null || (await findMember(this.database, account.id, memberId)) !== null) return memberId;
    throw new GatewayError('invalid_request', 'member_id: must be a member of this organisation', {
      param: 'member_id',
    });
  }
}
