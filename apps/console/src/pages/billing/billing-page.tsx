import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { balanceQuery, type LedgerLine } from '../../api/money.js';
import { useRows } from '../../api/pages.js';
import { buttonClasses } from '../../parts/button.jsx';
import { classes } from '../../parts/classes.js';
import type { Column } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Facts, Page, Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Alerts } from './alerts.jsx';
import { Statements } from './statements.jsx';

const REQUEST = /^req_/;

const Reference = ({ line }: { readonly line: LedgerLine }) =>
  REQUEST.test(line.reference) ? (
    <Link
      to="/requests"
      search={{ open: line.reference } as never}
      className="font-mono text-accent text-small hover:underline"
    >
      {line.reference}
    </Link>
  ) : (
    <span title={line.reference}>
      {line.reason ?? line.reference}
      {line.reason !== null && <span className="text-muted"> · {line.reference}</span>}
    </span>
  );

const Change = ({ line }: { readonly line: LedgerLine }) => {
  const isOut = line.amount_usd.startsWith('-');
  return <Amount usd={line.amount_usd} isExact className={classes(isOut ? 'text-money-out' : 'text-money-in')} />;
};

/** What changed the balance, in words. */
function useKinds(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return useMemo(() => ({ top_up: t`Top-up`, adjustment: t`Adjustment`, settlement: t`Charge` }), [t]);
}

function useColumns(): readonly Column<LedgerLine>[] {
  const { t } = useLingui();
  const kinds = useKinds();
  return useMemo(
    () => [
      { id: 'time', title: t`Time`, width: '9rem', narrowWidth: '5.5rem', cell: (row) => <Time at={row.created_at} /> },
      {
        id: 'kind',
        title: t`Kind`,
        width: '8rem',
        isExtra: true,
        cell: (row) => kinds[row.kind] ?? row.kind,
      },
      {
        id: 'reference',
        title: t`For`,
        width: 'minmax(8rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => <Reference line={row} />,
      },
      {
        id: 'amount',
        title: t`Amount`,
        width: '10rem',
        narrowWidth: '8.5rem',
        isNumber: true,
        cell: (row) => <Change line={row} />,
      },
    ],
    [t, kinds],
  );
}

function Ledger() {
  const { t } = useLingui();
  const columns = useColumns();
  const list = useRows<LedgerLine>('/account/ledger');
  return (
    <ListView
      label={t`Ledger`}
      list={list}
      columns={columns}
      rowId={(row) => row.id}
      empty={
        <Empty title={t`No entries yet`} next={<Trans>Credits and charges appear here, each with its reason.</Trans>} />
      }
    />
  );
}

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
      <Section
        title={t`Ledger`}
        about={<Trans>Every change of the balance, the newest first.</Trans>}
        action={
          <a href="/account/ledger?format=csv&limit=1000" download className={buttonClasses()}>
            <Download aria-hidden />
            <Trans>Export CSV</Trans>
          </a>
        }
      >
        <Ledger />
      </Section>
    </Page>
  );
}
