import type { KeyOwner } from '@gateway/postgres';
import type { SessionCaller } from '../guards/caller.js';

/** The keys that a member manages: an owner all of the organisation, another member the own ones. */
export const managedBy = ({ account, member }: Pick<SessionCaller, 'account' | 'member'>): KeyOwner => ({
  accountId: account.id,
  ...(member.role !== 'owner' && { memberId: member.id }),
});
