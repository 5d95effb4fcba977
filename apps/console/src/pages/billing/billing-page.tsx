import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { balanceQuery } from '../../api/money.js';
import { Amount } from '../../parts/figures.jsx';
import { Facts, Page } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Alerts } from './alerts.jsx';
import { Ledger } from './ledger.jsx';
import { Statements } from './statements.jsx';

function Balance() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(balanceQuery);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={2} />;
  return (
    <Facts
      rows={[
        [t`Balance`, <Amount key="balance" usd={data.balance_usd} isExact />],
        [t`Held`, <Amount key="held" usd={data.held_usd} isExact />],
        [t`Available`, <Amount key="available" usd={data.available_usd} isExact className="font-semibold" />],
      ]}
    />
  );
}

/** The money of the account: what there is, and every change of it. */
export function BillingPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Billing`} about={<Trans>Prepaid, exact to the billionth of a dollar.</Trans>}>
      <Balance />
      <Statements />
      <Alerts />
      <Ledger />
    </Page>
  );
}
