import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useRows } from '../../api/pages.js';
import type { Column } from '../../parts/data-table.jsx';
import { Time } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Section } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';

interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string | null;
  readonly ip: string | null;
  readonly status: number | null;
}

function useAuditColumns(): readonly Column<AuditEntry>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'time', title: t`Time`, width: '9rem', narrowWidth: '5.5rem', cell: (row) => <Time at={row.at} /> },
      { id: 'action', title: t`Action`, width: 'minmax(9rem,1fr)', cell: (row) => row.action },
      { id: 'subject', title: t`On`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.subject ?? '—' },
      { id: 'actor', title: t`By`, width: '8rem', isExtra: true, cell: (row) => row.actor },
      { id: 'ip', title: t`From`, width: '9rem', cell: (row) => row.ip ?? '—' },
    ],
    [t],
  );
}

/** Who changed what in the organisation. */
export function Changes() {
  const { t } = useLingui();
  const columns = useAuditColumns();
  const list = useRows<AuditEntry>('/account/audit');
  return (
    <div className="pt-2">
      <Section title={t`Changes`} about={<Trans>What people and administrators changed in this account.</Trans>}>
        <ListView
          label={t`Changes`}
          list={list}
          columns={columns}
          rowId={(row) => row.id}
          empty={<Empty title={t`Nothing was changed yet`} />}
        />
      </Section>
    </div>
  );
}
