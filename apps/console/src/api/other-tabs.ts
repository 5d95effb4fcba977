import type { QueryClient } from '@tanstack/react-query';
import { hasSessionEnded } from './ended-session.js';
import { type AnySession, checkSession, sessionQuery } from './session.js';

/** Tabs of a browser share the session: a choice in one of them is a choice for all. */
const channel = new BroadcastChannel('session');

const NO_SESSION = 'none';

/** Whose session it is, and in which organisation it works. */
export const holderOf = ({ person, account }: AnySession): string => `${person.id} ${account?.id ?? ''}`;

/** Publishes to the other tabs whose session it is now. Null: it has ended. */
export const announceSession = (session: AnySession | null): void =>
  channel.postMessage(session === null ? NO_SESSION : holderOf(session));

/** A window that stands beside another one is never hidden, so it would not notice that the session has changed. */
export function followOtherTabs(queries: QueryClient): void {
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    const own = queries.getQueryData<AnySession>(sessionQuery.queryKey);
    if (own !== undefined && (hasSessionEnded() || holderOf(own) !== data)) checkSession(queries);
  };
}
