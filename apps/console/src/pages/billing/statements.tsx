import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRows } from '../../api/pages.js';
import type { StatementMonth } from '../../api/statements.js';
import { count } from '../../format/count.js';
import { monthName } from '../../format/time.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Amount } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { StatementPanel } from './statement-panel.jsx';

function useColumns(): readonly Column<StatementMonth>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      { id: 'month', title: t`Month`, width: 'minmax(7.5rem,1fr)', cell: (row) => monthName(row.month, i18n.locale) },
      {
        id: 'lines',
        title: t`Entries`,
        width: '7rem',
        isExtra: true,
        isNumber: true,
        cell: (row) => count(row.lines, i18n.locale),
      },
      {
        id: 'change',
        title: t`Change`,
        width: '11rem',
        narrowWidth: '11rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.change_usd} isExact />,
      },
    ],
    [t, i18n.locale],
  );
}

/** The months of the ledger. Each statement says that it is equal to it. */
export function Statements() {
  const { t } = useLingui();
  const { month } = useSearch({ strict: false }) as { month?: string };
  const navigate = useNavigate();
  const columns = useColumns();
  const { rows, error, retry } = useRows<StatementMonth>('/account/statements', { limit: undefined });
  const show = (next?: string) =>
    void navigate({
      to: '/billing',
      search: ((before: object) => ({ ...before, month: next })) as never,
      resetScroll: false,
    });
  return (
    <Section title={t`Statements`} about={<Trans>By month, for the books.</Trans>}>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {rows === undefined && error === null && <Skeleton rows={2} />}
      {rows?.length === 0 && (
        <Empty title={t`No statements yet`} next={<Trans>The first credit begins the first one.</Trans>} />
      )}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label={t`Statements`}
          columns={columns}
          rows={rows}
          rowId={(row) => row.month}
          onOpen={(row) => show(row.month)}
          openId={month}
        />
      )}
      <StatementPanel month={month} onClose={() => show()} />
    </Section>
  );
}
