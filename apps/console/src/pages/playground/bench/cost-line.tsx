import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isGatewayError } from '../../../api/failures.js';
import { receiptQuery } from '../../../api/requests.js';
import type { Usd } from '../../../format/money.js';
import { duration } from '../../../format/time.js';
import { Amount } from '../../../parts/figures.jsx';
import { Status } from '../../../parts/status.jsx';
import { type Exchange, type ExchangeState, hasEnded } from './exchange.js';

const RECEIPT_EVERY_MS = 1_000;
const CLOCK_MS = 100;
const NOT_FOUND = 404;

/** Counts up while a request runs. */
function useElapsed({ sentMs, endedMs }: Pick<Exchange<unknown, unknown>, 'sentMs' | 'endedMs'>): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (endedMs !== null) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, [endedMs]);
  return Math.max(0, (endedMs ?? nowMs) - sentMs);
}

function useStateWords(): Readonly<Record<ExchangeState, string>> {
  const { t } = useLingui();
  return {
    running: t`Running`,
    succeeded: t`Done`,
    failed: t`Failed`,
    stopped: t`Stopped by you`,
    cut: t`The stream was cut`,
  };
}

const MEANINGS = {
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  stopped: 'warned',
  cut: 'failed',
} as const;

/** Any other failure says nothing about the receipt. */
const isWithoutReceipt = (error: unknown): boolean => isGatewayError(error) && error.status === NOT_FOUND;

/** The receipt's cost once the request is settled. A refused request has no receipt. */
function ReceiptCost({ requestId }: { readonly requestId: string }) {
  const { data, error } = useQuery({
    ...receiptQuery(requestId),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.status === 'settled' || isWithoutReceipt(state.error) ? false : RECEIPT_EVERY_MS,
  });
  if (isWithoutReceipt(error)) return <Trans>nothing charged</Trans>;
  if (data?.status !== 'settled') return <Trans>settling…</Trans>;
  return (
    // In a tab of its own: leaving the page ends its key, and takes the answers away.
    <Link to="/requests" search={{ open: requestId } as never} target="_blank" className="text-accent hover:underline">
      <Amount usd={data.cost_usd} isExact />
    </Link>
  );
}

/** State, times and cost: an estimate while it runs, then the receipt's exact cost. */
export function CostLine({
  exchange,
  estimate,
}: {
  readonly exchange: Exchange<unknown, unknown>;
  readonly estimate: Usd | null;
}) {
  const { i18n } = useLingui();
  const words = useStateWords();
  const elapsed = useElapsed(exchange);
  const { state, sentMs, firstMs, requestId } = exchange;
  return (
    <p className="figures flex flex-wrap items-center gap-x-4 gap-y-1 text-small">
      <span role="status">
        <Status meaning={MEANINGS[state]}>{words[state]}</Status>
      </span>
      <span className="text-muted">{duration(elapsed, i18n.locale)}</span>
      {firstMs !== null && (
        <span className="text-muted">
          <Trans>first byte {duration(Math.max(0, firstMs - sentMs), i18n.locale)}</Trans>
        </span>
      )}
      {!hasEnded(exchange) && estimate !== null && (
        <span>
          <Trans>
            about <Amount usd={estimate} /> so far
          </Trans>
        </span>
      )}
      {hasEnded(exchange) && requestId !== null && <ReceiptCost requestId={requestId} />}
    </p>
  );
}
