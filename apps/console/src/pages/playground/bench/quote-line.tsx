import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Quote } from '../../../api/quotes.js';
import { serverSays } from '../../../api/server-words.js';
import { nanoUsd, type Usd, usdOfNano } from '../../../format/money.js';
import { Amount } from '../../../parts/figures.jsx';
import { Status } from '../../../parts/status.jsx';
import { sumUsd } from './estimate-cost.js';
import type { QuoteState } from './use-quotes.js';

const Part = ({ name, usd }: { readonly name: string; readonly usd: Usd }) => (
  <span className="flex items-baseline gap-1">
    <span className="text-muted">{name}</span>
    <Amount usd={usd} />
  </span>
);

const NotEnough = ({ hold, available }: { readonly hold: Usd; readonly available: Usd }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <Status meaning="warned">
      <Trans>Not enough credit</Trans>
    </Status>
    <span className="text-muted">
      <Trans>
        It would hold <Amount usd={hold} />; <Amount usd={available} /> is available.
      </Trans>
    </span>
    <Link to="/billing" className="text-accent hover:underline">
      <Trans>See billing</Trans>
    </Link>
    <span className="text-muted">
      <Trans>Or use a test key: the simulator answers, free.</Trans>
    </span>
  </span>
);

function Sums({ quotes }: { readonly quotes: readonly Quote[] }) {
  const { t } = useLingui();
  const sum = (of: (quote: Quote) => Usd) => sumUsd(quotes.map(of));
  const available = quotes[0]?.available_usd ?? '0';
  const estimate = sum((quote) => quote.estimate_usd);
  const hold = sum((quote) => quote.hold_usd);
  const after = usdOfNano(nanoUsd(available) - nanoUsd(estimate));
  const isAffordable = quotes.every((quote) => quote.is_affordable) && nanoUsd(hold) <= nanoUsd(available);
  if (!isAffordable) return <NotEnough hold={hold} available={available} />;
  return (
    <>
      <Part name={t`Likely`} usd={estimate} />
      <Part name={t`Holds`} usd={hold} />
      <Part name={t`At most`} usd={sum((quote) => quote.hold_most_usd)} />
      <Part name={t`Balance after`} usd={after} />
    </>
  );
}

const Quoted = ({ state }: { readonly state: QuoteState }): ReactNode => {
  if (state.state === 'too-long') {
    return (
      <span className="text-muted">
        <Trans>Too long to quote while you type. The receipt has the exact cost.</Trans>
      </span>
    );
  }
  if (state.state === 'failed') {
    return (
      <Status meaning="warned">
        <Trans>No quote: the account interface did not answer.</Trans>
      </Status>
    );
  }
  if (state.state !== 'quoted') return null;
  const refused = state.quotes.flatMap((quote) => (quote.valid ? [] : quote.errors));
  if (refused[0] !== undefined) return <Status meaning="failed">{serverSays(refused[0])}</Status>;
  return <Sums quotes={state.quotes.filter((quote) => quote.valid)} />;
};

/** What the request of the form would cost, before it is sent. A test key pays nothing. */
export function QuoteLine({ state, isTest }: { readonly state: QuoteState; readonly isTest: boolean }) {
  const { t } = useLingui();
  return (
    <output aria-label={t`Quote`} className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-small">
      {isTest ? <Trans>Free: the simulator answers.</Trans> : <Quoted state={state} />}
    </output>
  );
}
