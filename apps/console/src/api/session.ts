import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { get } from './call.js';

export const ROLES = ['owner', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Who is signed in, and for which organisation. */
export interface Session {
  readonly person: { readonly id: string; readonly email: string; readonly name: string; readonly confirmed: boolean };
  readonly account: { readonly id: string; readonly name: string; readonly time_zone: string };
  readonly role: Role;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly administrator: boolean;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('/account/session', {}, signal),
  staleTime: 60_000,
});

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;
