import { includesRole, type MemberRole } from '@gateway/contracts';
import type { TestStack } from '@gateway/testing';
import type { Operation } from './document.js';
import type { DrawnRequest } from './drawn-requests.js';
import { callAccount, joinAs } from './join-organisation.js';

/** Who calls, and by which security scheme of the documents. */
export interface Caller {
  readonly name: string;
  readonly scheme: 'session' | 'apiKey' | 'adminToken';
  readonly token: string;
  /** Of a session in the organisation that it has chosen. */
  readonly role?: MemberRole;
}

/** One caller of each kind: the members of one organisation, a stranger, an administrator, a key and its child. */
export async function makeCallers(stack: TestStack): Promise<readonly Caller[]> {
  const limits = { rpm: 0, concurrency: 0, scopes: ['keys:children'] };
  const team = await stack.createCustomer({ creditUsd: '10', limits });
  const stranger = await stack.createCustomer();
  const child = await callAccount<{ readonly key: string }>(stack, `/account/keys/${team.keyId}/children`, {
    token: team.token,
    body: { name: 'agent', budget_usd: '1' },
  });
  const members = (['developer', 'billing', 'viewer'] as const).map(async (role): Promise<Caller> => {
    return { name: `a ${role}`, scheme: 'session', token: await joinAs(stack, team, role), role };
  });
  return [
    { name: 'an owner', scheme: 'session', token: team.token, role: 'owner' },
    ...(await Promise.all(members)),
    { name: 'the owner of another organisation', scheme: 'session', token: stranger.token, role: 'owner' },
    { name: 'an administrator', scheme: 'adminToken', token: stack.system.adminToken },
    { name: 'a key', scheme: 'apiKey', token: team.apiKey },
    { name: 'a child of the key', scheme: 'apiKey', token: child.key },
    { name: 'an unknown key', scheme: 'apiKey', token: 'sk-unknown' },
  ];
}

/** What the document says of a caller. A key may lack the scope all the same. */
export function mayCall({ schemes, leastRole }: Operation, { name, scheme, role }: Caller): boolean {
  if (schemes.length === 0) return true;
  if (name === 'an unknown key' || !schemes.includes(scheme)) return false;
  return role === undefined || leastRole === undefined || includesRole(role, leastRole);
}

/** A part that a URL or a router takes for something else: another route may answer. */
const isOdd = (path: string): boolean => /%00|%25|\/\.{1,2}(?:\/|\?|$)|\/\/|\/(?:\?|$)/.test(path);

const REFUSALS = [401, 403, 429];

/** What is wrong with an answer to this caller; undefined: nothing. */
export function wrongAnswer({ operation, path }: DrawnRequest, caller: Caller, status: number): string | undefined {
  if (status >= 500) return `${status}`;
  if (mayCall(operation, caller)) return undefined;
  if (isOdd(path)) return status >= 400 ? undefined : `${status} without the right`;
  return REFUSALS.includes(status) ? undefined : `${status} instead of a refusal`;
}
