import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { listQuery } from '../../api/pages.js';
import { type Refusal, type RequestLine, refusalsQuery } from '../../api/requests.js';
import { serverSays } from '../../api/server-words.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { OutcomeStatus } from '../../parts/outcome.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';

const LATEST = 5;
/** No event announces a refusal, so the page asks for it. */
const REFUSALS_MS = 1_000;
const PATIENCE_MS = 20_000;

/** The rows that were not there when the page was opened. The clocks of page and server need not agree. */
function useNew<Row>(rows: readonly Row[] | undefined, idOf: (row: Row) => string): readonly Row[] {
  const [before, setBefore] = useState<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (rows !== undefined && before === null) setBefore(new Set(rows.map(idOf)));
  }, [rows, before, idOf]);
  return before === null || rows === undefined ? [] : rows.filter((row) => !before.has(idOf(row)));
}

const requestId = (row: { readonly request_id: string }): string => row.request_id;

/** What to do about a refusal. */
function Remedy({ code }: Pick<Refusal, 'code'>) {
  const link = (to: string, words: ReactNode) => (
    <Link to={to} className={buttonClasses('plain', 'self-start')}>
      {words}
    </Link>
  );
  if (code === 'insufficient_balance') return link('/billing', <Trans>See the balance</Trans>);
  if (code === 'model_not_found') return link('/models', <Trans>See the models</Trans>);
  if (code === 'permission_denied' || code.startsWith('key_')) return link('/keys', <Trans>See the key</Trans>);
  return null;
}

const Refused = ({ refusal }: { readonly refusal: Refusal }) => {
  const { t } = useLingui();
  return (
    <li className="flex flex-col gap-2 rounded-panel border border-failed/40 bg-failed-wash p-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Status meaning="failed">{t`Refused: ${refusal.status}`}</Status>
        <code className="font-mono text-small">{refusal.code}</code>
        <span className="text-muted">
          {refusal.method} {refusal.path}
        </span>
        <Time at={refusal.refused_at} />
      </div>
      <p>{serverSays(refusal)}</p>
      <p className="text-muted text-small">{t`It cost nothing.`}</p>
      <Remedy code={refusal.code} />
    </li>
  );
};

const Arrived = ({ request }: { readonly request: RequestLine }) => (
  <li className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-panel border p-4">
    <OutcomeStatus outcome={request.outcome} />
    <span className="font-medium">{request.model}</span>
    <Time at={request.settled_at} />
    <Amount usd={request.cost_usd} />
    {request.error_code !== null && <code className="font-mono text-failed text-small">{request.error_code}</code>}
    <Link to="/requests" search={{ open: request.request_id } as never} className="text-accent hover:underline">
      <Trans>Its receipt</Trans>
    </Link>
  </li>
);

/** After a while without a request: a key that the gateway does not know leaves no trace in any account. */
function Listening() {
  const { t } = useLingui();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="flex flex-col gap-2">
      <Status meaning="running">{t`Listening for your request…`}</Status>
      {isLate && (
        <p className="max-w-prose text-muted">
          <Trans>
            Nothing yet? A wrong address or an unknown key shows in your terminal only: the gateway cannot know that it
            was you. Copy the command again after you made the key.
          </Trans>
        </p>
      )}
    </div>
  );
}

interface ArrivalsProps {
  /** The key that was made on this page. Undefined: none yet. */
  readonly keyId: string | undefined;
  /** An answer to a request of this key has arrived. */
  readonly onArrival: () => void;
}

/** Requests as they arrive, or why they were refused: of the key that was made here, before that of every key. */
export function Arrivals({ keyId, onArrival }: ArrivalsProps) {
  const requests = useInfiniteQuery(listQuery<RequestLine>('/account/requests', { limit: LATEST, key_id: keyId }));
  const refusals = useQuery({ ...refusalsQuery, refetchInterval: REFUSALS_MS });
  const arrived = useNew(requests.data?.pages[0]?.data, requestId);
  const hasArrived = arrived.some(({ outcome, key_id: id }) => outcome === 'completed' && id === keyId);
  useEffect(() => {
    if (hasArrived) onArrival();
  }, [hasArrived, onArrival]);
  const receipts = new Set(arrived.map(requestId));
  // A request that failed after its admission has a receipt, which says more.
  const refused = useNew(refusals.data?.data, requestId).filter(
    ({ request_id: id, key_id: ofKey }) => !receipts.has(id) && (keyId === undefined || ofKey === keyId),
  );
  // Before both lists are known, the page cannot know which request is new.
  if (requests.data === undefined || refusals.data === undefined) {
    const error = requests.error ?? refusals.error;
    const readAgain = () => void Promise.all([requests.refetch(), refusals.refetch()]);
    return error === null ? <Skeleton rows={1} /> : <Problem error={error} onRetry={readAgain} />;
  }
  return (
    <div aria-live="polite" className="flex flex-col gap-3">
      {arrived.length + refused.length === 0 && <Listening />}
      <ul className="flex flex-col gap-3">
        {arrived.map((request) => (
          <Arrived key={request.request_id} request={request} />
        ))}
        {refused.slice(0, LATEST).map((refusal) => (
          <Refused key={refusal.request_id} refusal={refusal} />
        ))}
      </ul>
    </div>
  );
}
