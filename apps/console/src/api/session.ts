import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { get } from './call.js';
import { isGatewayError } from './failures.js';
import { includesRole, type Role } from './roles.js';

interface Membership {
  readonly account: { readonly id: string; readonly name: string; readonly time_zone: string };
  readonly role: Role;
}

interface Visit {
  readonly person: { readonly id: string; readonly email: string; readonly name: string; readonly confirmed: boolean };
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** May see the pages of operators. */
  readonly administrator: boolean;
  /** An operator reads `account` as its viewer until this time; null: the person is a member of it. */
  readonly view: { readonly id: string; readonly reason: string; readonly expires_at: string } | null;
}

/** Who is signed in, and for which organisation. */
export interface Session extends Visit, Membership {}

/** A person may belong to no organisation, or have left the one of the session. */
export type AnySession = Session | (Visit & { readonly account: null; readonly role: null });

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<AnySession>('/account/session', {}, signal),
  staleTime: 60_000,
  // Another tab may have chosen another organisation, and both tabs share the session.
  refetchOnWindowFocus: 'always',
});

/** Reads the session again where it may have ended. A page that shows it leaves when it has. */
export const checkSession = (queries: QueryClient): void =>
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** Null: the browser has no session. For pages that need none. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async ({ signal }) => {
    try {
      return await get<AnySession>('/account/session', {}, signal);
    } catch (error) {
      if (isGatewayError(error) && error.status === 401) return null;
      throw error;
    }
  },
});

export const useAnySession = (): AnySession => useSuspenseQuery(sessionQuery).data;

/** For the pages of an organisation. The frame shows none of them to a person without one. */
export function useSession(): Session {
  const session = useAnySession();
  if (session.account === null) throw new Error('The session works in no organisation.');
  return session;
}

/** Whether the role of the person includes `least`. What it does not include is not offered. */
export function useMay(least: Role): boolean {
  const { role } = useAnySession();
  return role !== null && includesRole(role, least);
}
