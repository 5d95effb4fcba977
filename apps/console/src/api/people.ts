import { queryOptions } from '@tanstack/react-query';
import { get, post } from './call.js';
import type { Documented } from './documented.js';
import type { CapUse } from './keys.js';
import type { Role } from './roles.js';

/** `GET /account/person`. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly locale: 'en' | 'zh';
  readonly time_zone: string;
  readonly confirmed_at: string | null;
}

export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: ({ signal }) => get<Person>('/account/person', {}, signal),
});

/** One line of `GET /account/sessions`. */
export type SessionLine = Documented['Session'];

/** One line of `GET /account/members`. */
export interface Member {
  readonly id: string;
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly caps: readonly CapUse[];
  /** Keys that work, without the child keys below them. */
  readonly open_keys: number;
  readonly created_at: string;
}

/** One line of `GET /account/invitations`. */
export type Invitation = Documented['Invitation'];

/** What the link of an invitation offers. */
export interface InvitationOffer {
  readonly email: string;
  readonly role: Role;
  readonly organisation: string;
  /** The address has no login yet. */
  readonly needs_password: boolean;
}

export const offerQuery = (token: string) =>
  queryOptions({
    queryKey: ['offer', token],
    queryFn: () => post<InvitationOffer>('/account/invitations/find', { token }),
    retry: false,
    // It is used up when the person joins, and must not be asked again then.
    staleTime: 'static',
  });

/** From now on the session works in this organisation. */
export const chooseOrganisation = (id: string) => post(`/account/organisations/${encodeURIComponent(id)}/choose`);
