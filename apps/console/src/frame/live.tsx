import { Trans } from '@lingui/react/macro';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { addStream, type ConnectionState, useConnection } from '../api/connections.js';
import { type Connection, followEvents } from '../api/follow-events.js';
import { refreshList } from '../api/refresh-list.js';
import { checkSession } from '../api/session.js';
import { classes } from '../parts/classes.js';
import { Time } from '../parts/figures.jsx';
import { nextWaitMs } from './next-wait.js';

/** What each event makes old, by the first part of the query's key or the path of its list. */
const TASKS = ['/account/tasks', '/account/files', 'task', 'storage'];
const KEPT = ['/account/kept-requests'];
const BATCHES = ['/account/batches', '/account/files'];
const LEDGER = ['/account/ledger', '/account/statements'];
const LISTS = [
  '/account/requests',
  '/account/keys',
  'key-tree',
  'usage',
  'model-health',
  // What is used of the organisation's caps.
  'account-settings',
  ...LEDGER,
];

const MADE_OLD: Readonly<Record<string, readonly string[]>> = {
  request: [...LISTS, 'receipt'],
  balance: ['balance', ...LEDGER],
  resync: [
    ...LISTS,
    'receipt',
    'refusals',
    'balance',
    '/account/webhook-deliveries',
    'webhook-delivery',
    ...TASKS,
    ...KEPT,
    ...BATCHES,
  ],
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

/** Collects what became old, and reads it again after a while: the longer, the busier the account is. */
function gather(queries: QueryClient) {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = 0;
  let refreshedAtMs = Number.NEGATIVE_INFINITY;
  return {
    add(event: string) {
      for (const name of MADE_OLD[event] ?? []) names.add(name);
      if (timer !== undefined) return;
      waitMs = nextWaitMs(waitMs, performance.now() - refreshedAtMs);
      timer = setTimeout(() => {
        timer = undefined;
        refreshedAtMs = performance.now();
        refresh(queries, new Set(names));
        names.clear();
      }, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Reads the account's stream. What was not received is read again. */
function follow(queries: QueryClient): () => void {
  const old = gather(queries);
  const stream = addStream();
  stream.set('connecting');
  const end = followEvents({
    path: '/account/stream',
    events: Object.fromEntries(Object.keys(MADE_OLD).map((event) => [event, () => old.add(event)])),
    onConnection: stream.set,
    onRefused: () => checkSession(queries),
    onReturn: () => old.add('resync'),
  });
  return () => {
    end();
    stream.remove();
    old.stop();
  };
}

/** Follows the account's event stream: what changed on the server changes on the page. Nothing without an organisation. */
export function useLive(accountId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => (accountId === undefined ? undefined : follow(queries)), [queries, accountId]);
}

const LOOK: Readonly<Record<Connection, string>> = {
  connecting: 'bg-faint',
  live: 'bg-succeeded',
  lost: 'bg-failed',
};

/** Whether the page changes by itself now. */
export function LiveSign() {
  const state = useConnection();
  if (state === null) return null;
  const { connection } = state;
  return (
    <p className="flex items-center gap-2 px-2 text-muted text-small">
      <span aria-hidden className={classes('drawn size-2 rounded-round', LOOK[connection])} />
      {connection === 'live' && <Trans>Live</Trans>}
      {connection === 'connecting' && <Trans>Connecting…</Trans>}
      {connection === 'lost' && <Trans>Not connected</Trans>}
    </p>
  );
}

const Since = ({ lostAt }: Pick<ConnectionState, 'lostAt'>) =>
  lostAt === null ? null : (
    <p className="flex items-center gap-2 border-b bg-warned-wash px-4 py-2 text-warned md:px-8">
      <WifiOff aria-hidden className="size-4 shrink-0" />
      <span>
        <Trans>
          Not connected since <Time at={lostAt} />. What you see may be old; it follows by itself.
        </Trans>
      </span>
    </p>
  );

/** Above every page while it does not change by itself. */
export function LostNotice() {
  const state = useConnection();
  return (
    <div role="status" className="sticky top-12 z-10 lg:top-0">
      <Since lostAt={state?.lostAt ?? null} />
    </div>
  );
}
