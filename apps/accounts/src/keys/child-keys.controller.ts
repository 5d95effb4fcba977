import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  type ApiKeyRecord,
  type Database,
  findKey,
  hasHadKey,
  isBelow,
  type KeyOwner,
  readCappedPeriods,
  readKeyTree,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { decodePlace } from '../http/cursor.js';
import { managedBy } from '../http/managed-keys.js';
import { DATABASE } from '../tokens.js';
import { CHILD_KEYS, treePage } from './child-keys.description.js';
import { newChild } from './child-settings.js';
import { endKey } from './end-key.js';
import { keyTreeView } from './key-tree.js';
import { keyView } from './key-view.js';
import { MAKES_CHILDREN } from './limit-child.js';
import { MakeChild } from './make-child.service.js';
import { unknownKey } from './unknown-key.js';

/** Keys that keys make, for agents. A member manages those below the keys that he or she manages; a key those below it. */
@Controller('account/keys')
export class ChildKeysController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
    private readonly makeChild: MakeChild,
  ) {}

  @Describe(CHILD_KEYS.create)
  @AllowSessionOrKey('developer')
  @Post(':id/children')
  @HttpCode(201)
  async create(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string, @Body() body: unknown) {
    const parent = await this.#find(caller, id);
    requireRight(caller);
    const { key, child } = await this.makeChild.make(parent, parse(newChild, body), caller.kind === 'key');
    return { key, ...keyView(child, await readCappedPeriods(this.database, child.accountId)) };
  }

  @Describe(CHILD_KEYS.remove)
  @AllowSessionOrKey('developer')
  @Delete(':id/children/:childId')
  async remove(
    @AuthenticatedCaller() caller: AccountCaller,
    @Param('id') id: string,
    @Param('childId') childId: string,
  ) {
    const parent = await this.#find(caller, id);
    if (!(await isBelow(this.database, parent.accountId, { aboveId: parent.id, id: childId }))) throw unknownKey();
    await endKey(this.database, this.keyCacheInvalidator, { accountId: parent.accountId }, childId);
    return { id: childId, deleted: true as const };
  }

  @Describe(CHILD_KEYS.tree)
  @AllowSessionOrKey('developer')
  @Get(':id/tree')
  async tree(@AuthenticatedCaller() caller: AccountCaller, @Param('id') given: string, @Query() query: unknown) {
    const { limit, cursor } = parse(treePage, query);
    const place = decodePlace(cursor, /key_\w{1,64}/);
    const after = place === null ? null : { createdAt: new Date(place.atMs), id: place.id };
    const id = idOf(caller, given);
    // Also of a key that has ended: what was spent stays known.
    if (!(await hasHadKey(this.database, ownerOf(caller), id))) throw unknownKey();
    const tree = await readKeyTree(this.database, caller.account, id, { limit, after });
    const view = tree === null ? undefined : keyTreeView(tree, Date.now());
    if (view === undefined) throw unknownKey();
    return view;
  }

  async #find(caller: AccountCaller, given: string): Promise<ApiKeyRecord> {
    const found = await findKey(this.database, ownerOf(caller), idOf(caller, given));
    if (found === null) throw unknownKey();
    return found;
  }
}

/** A key finds itself only: by its id, or as `self`. */
function idOf(caller: AccountCaller, given: string): string {
  if (caller.kind !== 'key') return given;
  if (given !== 'self' && given !== caller.key.keyId) throw unknownKey();
  return caller.key.keyId;
}

const ownerOf = (caller: AccountCaller): KeyOwner =>
  caller.kind === 'session' ? managedBy(caller) : { accountId: caller.account.id };

function requireRight({ account, ...caller }: AccountCaller): void {
  if (account.suspendedAt !== null) throw new GatewayError('permission_denied', 'This account is suspended.');
  if (caller.kind === 'session' || caller.key.scopes.includes(MAKES_CHILDREN)) return;
  throw new GatewayError(
    'permission_denied',
    `This key may not make children: it needs the scope \`${MAKES_CHILDREN}\`.`,
  );
}
