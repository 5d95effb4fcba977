import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from '../../api/money.js';
import { ExactFigureRow, Figure } from '../../parts/figure.jsx';
import { Amount } from '../../parts/figures.jsx';
import { NoCredit } from '../../parts/no-credit.jsx';
import { Page } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Alerts } from './alerts.jsx';
import { Ledger } from './ledger.jsx';
import { Statements } from './statements.jsx';

function Balance() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(balanceQuery);
  if (data === undefined)
    return error === null ? <Skeleton rows={2} /> : <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <ExactFigureRow>
      <Figure name={t`Available`} about={<Trans>What new requests may cost.</Trans>}>
        <Amount usd={data.available_usd} isExact />
      </Figure>
      <Figure name={t`Held`} about={<Trans>By requests that run. What they do not cost comes back.</Trans>}>
        <Amount usd={data.held_usd} isExact />
      </Figure>
      <Figure name={t`Balance`} about={<Trans>Both together, as in the ledger.</Trans>}>
        <Amount usd={data.balance_usd} isExact />
      </Figure>
    </ExactFigureRow>
  );
}

/** The money of the account: what there is, and every change of it. */
export function BillingPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Billing`} about={<Trans>Prepaid, exact to the billionth of a dollar.</Trans>}>
      <NoCredit />
      <Balance />
      <Statements />
      <Alerts />
      <Ledger />
    </Page>
  );
}
