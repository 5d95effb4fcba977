import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { withQuery } from '../../api/call.js';
import { type Statement, statementPath, statementQuery } from '../../api/statements.js';
import { count } from '../../format/count.js';
import { exactTime, monthName } from '../../format/time.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount } from '../../parts/figures.jsx';
import { LedgerDifference } from '../../parts/ledger-difference.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

const Files = ({ month }: { readonly month: string }) => (
  <div className="flex flex-wrap gap-2">
    <a href={withQuery(statementPath(month), { format: 'csv' })} download className={buttonClasses()}>
      <Download aria-hidden />
      <Trans>CSV, every entry</Trans>
    </a>
    <a href={withQuery(statementPath(month), { format: 'pdf' })} download className={buttonClasses()}>
      <Download aria-hidden />
      <Trans>PDF, for the books</Trans>
    </a>
  </div>
);

function Models({ models }: Pick<Statement, 'models'>) {
  const { t, i18n } = useLingui();
  return (
    <Section
      title={t`Charges by model`}
      about={<Trans>A charge counts when it is booked, a moment after its request has ended.</Trans>}
    >
      <table className="w-full">
        <thead className="text-muted text-small">
          <tr className="border-b">
            <th className="py-1.5 text-left font-normal">{t`Model`}</th>
            <th className="py-1.5 text-right font-normal">{t`Requests`}</th>
            <th className="py-1.5 text-right font-normal">{t`Cost`}</th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, requests, cost_usd: cost }) => (
            <tr key={model} className="border-b last:border-0">
              <td className="break-all py-1.5">{model}</td>
              <td className="figures py-1.5 pl-4 text-right">{count(requests, i18n.locale)}</td>
              <td className="figures py-1.5 pl-4 text-right">
                <Amount usd={cost} isExact />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function StatementView({ statement }: { readonly statement: Statement }) {
  const { t, i18n } = useLingui();
  const time = (at: string) => exactTime(new Date(at), i18n.locale, statement.time_zone);
  return (
    <div className="flex flex-col gap-7">
      <Files month={statement.month} />
      <Facts
        rows={[
          [t`From`, time(statement.from)],
          [t`To`, time(statement.to)],
          [t`Time zone`, statement.time_zone],
          [t`State`, statement.is_final ? t`final` : t`the month goes on; it ends a minute ago`],
        ]}
      />
      <Section title={t`Sums`}>
        <Facts
          rows={[
            [t`Opening balance`, <Amount key="opening" usd={statement.opening_balance_usd} isExact />],
            [t`Top-ups`, <Amount key="top-ups" usd={statement.top_ups_usd} isExact />],
            [t`Adjustments`, <Amount key="adjustments" usd={statement.adjustments_usd} isExact />],
            [t`Charges`, <Amount key="charges" usd={statement.charges_usd} isExact />],
            [
              t`Closing balance`,
              <Amount key="closing" usd={statement.closing_balance_usd} isExact className="font-semibold" />,
            ],
          ]}
        />
        <LedgerDifference usd={statement.ledger.difference_usd} />
      </Section>
      {statement.models.length > 0 && <Models models={statement.models} />}
    </div>
  );
}

interface StatementPanelProps {
  readonly month: string | undefined;
  readonly onClose: () => void;
}

/** One month beside the list: its sums, its charges by model, and its files. */
export function StatementPanel({ month, onClose }: StatementPanelProps) {
  const { t, i18n } = useLingui();
  const name = month === undefined ? '' : monthName(month, i18n.locale);
  const { data, error, refetch } = useQuery({ ...statementQuery(month ?? ''), enabled: month !== undefined });
  return (
    <Dialog isOpen={month !== undefined} onClose={onClose} place="panel" title={t`Statement of ${name}`}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data !== undefined && <StatementView statement={data} />}
    </Dialog>
  );
}
