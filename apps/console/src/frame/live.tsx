import { Trans } from '@lingui/react/macro';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refreshList } from '../api/refresh-list.js';
import { classes } from '../parts/classes.js';

export type Connection = 'connecting' | 'live' | 'lost';

/** A burst of requests refreshes the lists once in this time. */
const SETTLE_MS = 400;

/** What each event makes old, by the first part of the query's key or the path of its list. */
const TASKS = ['/account/tasks', '/account/files', 'task', 'storage'];
const KEPT = ['/account/kept-requests'];
const BATCHES = ['/account/batches', '/account/files'];
const LISTS = ['/account/requests', '/account/ledger', '/account/keys', 'key-tree', 'usage'];

const MADE_OLD: Readonly<Record<string, readonly string[]>> = {
  request: [...LISTS, 'receipt'],
  balance: ['balance', '/account/ledger'],
  resync: [...LISTS, 'balance', '/account/webhook-deliveries', 'webhook-delivery', ...TASKS, ...KEPT, ...BATCHES],
  'video.task.queued': TASKS,
  'video.task.running': TASKS,
  'video.task.succeeded': TASKS,
  'video.task.failed': TASKS,
  'video.task.cancelled': TASKS,
  'video.task.expired': TASKS,
  'request.completed': KEPT,
  'request.failed': KEPT,
  'request.cancelled': KEPT,
  'batch.completed': BATCHES,
  'batch.failed': BATCHES,
  'batch.expired': BATCHES,
  'batch.cancelled': BATCHES,
};

function refresh(queries: QueryClient, names: ReadonlySet<string>): void {
  const isOld = ({ queryKey: [kind, path] }: { queryKey: readonly unknown[] }) =>
    names.has(String(kind)) || (kind === 'list' && names.has(String(path)));
  for (const query of queries.getQueryCache().findAll({ predicate: isOld })) {
    const { queryKey } = query;
    if (queryKey[0] !== 'list') void queries.invalidateQueries({ queryKey, exact: true });
    // A failed read is repeated with the next event, and by the list itself when the person returns to it.
    else refreshList(queries, query).catch(() => query.invalidate());
  }
}

/** Collects what became old, and reads it again at most every `SETTLE_MS`. */
function gather(queries: QueryClient) {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(event: string) {
      for (const name of MADE_OLD[event] ?? []) names.add(name);
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh(queries, new Set(names));
        names.clear();
      }, SETTLE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

const isSeen = () => document.visibilityState === 'visible';

/** Reads the stream while the page is seen: a browser has few connections, and a person has many tabs. */
function follow(queries: QueryClient, onConnection: (connection: Connection) => void): () => void {
  const old = gather(queries);
  let source: EventSource | undefined;
  const close = () => {
    source?.close();
    source = undefined;
  };
  const open = () => {
    source = new EventSource('/account/stream');
    source.onopen = () => onConnection('live');
    source.onerror = () => onConnection('lost');
    for (const event of Object.keys(MADE_OLD)) source.addEventListener(event, () => old.add(event));
  };
  const change = () => {
    close();
    if (!isSeen()) return;
    open();
    // What happened meanwhile was not received.
    old.add('resync');
  };
  if (isSeen()) open();
  document.addEventListener('visibilitychange', change);
  return () => {
    document.removeEventListener('visibilitychange', change);
    close();
    old.stop();
  };
}

/**
 * Follows the account's event stream: what changed on the server changes on the page. The browser reconnects by itself.
 * Null: the session works in no organisation, and there is nothing to follow.
 */
export function useLive(accountId: string | undefined): Connection | null {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => (accountId === undefined ? undefined : follow(queries, setConnection)), [queries, accountId]);
  return accountId === undefined ? null : connection;
}

const LOOK: Readonly<Record<Connection, string>> = {
  connecting: 'bg-faint',
  live: 'bg-succeeded',
  lost: 'bg-failed',
};

/** Whether the page changes by itself now. */
export const LiveSign = ({ connection }: { readonly connection: Connection }) => (
  <p role="status" className="flex items-center gap-2 px-2 text-muted text-small">
    <span aria-hidden className={classes('size-2 rounded-round', LOOK[connection])} />
    {connection === 'live' && <Trans>Live</Trans>}
    {connection === 'connecting' && <Trans>Connecting…</Trans>}
    {connection === 'lost' && <Trans>Not connected. Trying again…</Trans>}
  </p>
);
