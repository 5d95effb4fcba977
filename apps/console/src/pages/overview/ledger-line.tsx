import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.js';
import { statementQuery } from '../../api/statements.js';
import { nanoUsd, usdOfNano } from '../../format/money.js';
import { monthName } from '../../format/time.js';
import { Amount, Time } from '../../parts/figures.jsx';
import { LedgerDifference } from '../../parts/ledger-difference.jsx';

/** The statement of a month that goes on ends a minute ago. */
const READ_AGAIN_MS = 60_000;

const LINK = 'text-accent hover:underline';

function StatementLine({ month }: { readonly month: string }) {
  const { i18n } = useLingui();
  const { data } = useQuery({ ...statementQuery(month), refetchInterval: READ_AGAIN_MS });
  // Its room is kept: what stands below must not move.
  if (data === undefined) return <p className="min-h-5" />;
  const name = monthName(month, i18n.locale);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        <Trans>
          Charges of {name} in the ledger, until <Time at={data.to} />:{' '}
          <Amount usd={usdOfNano(-nanoUsd(data.charges_usd))} isExact />
        </Trans>
      </span>
      <LedgerDifference usd={data.ledger.difference_usd} />
      <Link to="/billing" search={{ month } as never} className={LINK}>
        <Trans>See its entries</Trans>
      </Link>
    </p>
  );
}

/** The statement of the month, compared with the ledger by the server. Only for who may read the ledger. */
export const LedgerLine = ({ month }: { readonly month: string }) =>
  useMay('billing') ? <StatementLine month={month} /> : null;
