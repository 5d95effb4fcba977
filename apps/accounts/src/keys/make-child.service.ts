import { GatewayError, type KeySpending, newApiKey } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import {
  type ApiKeyRecord,
  type ChildLimits,
  type ChildOutcome,
  closeChildKey,
  createChildKey,
  type Database,
  findKey,
  revokeKey,
} from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from '../tokens.js';
import type { NewChild } from './child-settings.js';
import { requireKeyRoom } from './key-room.js';
import { limitChild } from './limit-child.js';
import { makeKey } from './new-key.js';
import { unknownKey } from './unknown-key.js';

const LIMITS: ChildLimits = { maxDepth: 4, maxChildren: 100 };

const REASONS = {
  capped: 'This key has caps by period, which children could not share. Give it a spend cap instead.',
  depth: `Keys make children down to the level ${LIMITS.maxDepth}.`,
  count: `A key has at most ${LIMITS.maxChildren} open children. Revoke one, or wait: one that has ended counts until its budget has returned, within some 40 seconds.`,
} as const;

/** Makes keys for agents, each with a part of what its parent may spend. */
@Injectable()
export class MakeChild {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'reserveSpending' | 'setSpending'>,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  /** Returns the key itself, which no later answer shows, and its record. Throws 400, 402 or 404. */
  async make(
    parent: ApiKeyRecord,
    given: NewChild,
    isMadeByKey: boolean,
  ): Promise<{ readonly key: string; readonly child: ApiKeyRecord }> {
    const { accountId } = parent;
    const settings = limitChild(parent, given, Date.now());
    await requireKeyRoom(this.database, accountId);
    const { key, stored } = makeKey(accountId, newApiKey(parent.isTest ? 'test' : 'live'));
    const { id, sha256, prefix } = stored;
    const row = { ...settings, id, sha256, prefix, isMadeByKey };
    const made = await createChildKey(this.database, { accountId, parentId: parent.id }, row, LIMITS);
    if (made.outcome !== 'created') throw refusalOf(made);
    await this.#reserve(parent, id, made);
    const child = await findKey(this.database, { accountId }, id);
    if (child === null) throw new GatewayError('not_found', 'The key was revoked at once.');
    return { key, child };
  }

  /**
   * Admission learns what is reserved before anybody gets the key. What the parent has held or not yet booked is known
   * only there: if all together is too much, the child ends again.
   */
  async #reserve(parent: ApiKeyRecord, childId: string, made: Extract<ChildOutcome, { outcome: 'created' }>) {
    const { spentNanoUsd, unsettledNanoUsd, heldNanoUsd } = await this.#reserveAtAdmission(parent, made.parent).catch(
      async (error: unknown) => {
        // The caller gets no key, so this budget must not stay reserved until it expires. Billing returns it.
        await revokeKey(this.database, { accountId: parent.accountId }, childId, new Date());
        throw error;
      },
    );
    const beyond = spentNanoUsd + unsettledNanoUsd + heldNanoUsd - (made.capNanoUsd ?? 0n);
    if (made.capNanoUsd === null || beyond <= 0n) return;
    await revokeKey(this.database, { accountId: parent.accountId }, childId, new Date());
    const returned = await closeChildKey(this.database, childId);
    if (returned !== null) await this.store.setSpending(parent.accountId, returned);
    throw budgetRefusal(beyond);
  }

  async #reserveAtAdmission({ accountId, sha256 }: ApiKeyRecord, spending: KeySpending) {
    await this.keyCacheInvalidator.invalidate([sha256]);
    return this.store.reserveSpending(accountId, spending);
  }
}

const budgetRefusal = (missingNanoUsd: bigint): GatewayError =>
  new GatewayError(
    'insufficient_balance',
    `budget_usd: the parent key may spend $${formatUsd(missingNanoUsd)} less. Its own requests and its other children hold the rest.`,
    { param: 'budget_usd' },
  );

function refusalOf(made: Exclude<ChildOutcome, { outcome: 'created' }>): GatewayError {
  if (made.outcome === 'not_found') return unknownKey();
  if (made.outcome !== 'budget') return new GatewayError('invalid_request', REASONS[made.outcome]);
  return new GatewayError(
    'insufficient_balance',
    `budget_usd: the parent key may spend $${formatUsd(made.leftNanoUsd < 0n ? 0n : made.leftNanoUsd)} more, with what its children have reserved.`,
    { param: 'budget_usd' },
  );
}
