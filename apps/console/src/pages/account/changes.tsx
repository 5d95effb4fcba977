import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { AuditEntry } from '../../api/operators.js';
import { useRows } from '../../api/pages.js';
import { useFilters } from '../../parts/address.js';
import { AuditActor, AuditResult } from '../../parts/audit-entry.jsx';
import { CodeWords } from '../../parts/code-words.jsx';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Section } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';

function useColumns(): readonly Column<AuditEntry>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'time', title: t`Time`, width: '8.5rem', narrowWidth: TIME_TRACK, cell: (row) => <Time at={row.at} /> },
      { id: 'ip', title: t`Network address`, width: '8rem', isExtra: true, cell: (row) => row.ip ?? '—' },
      {
        id: 'actor',
        title: t`By`,
        width: 'minmax(8rem,1fr)',
        narrowWidth: '0.85fr',
        cell: (row) => <AuditActor entry={row} />,
      },
      {
        id: 'action',
        title: t`Action`,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1.15fr',
        cell: (row) => <CodeWords text={row.action} />,
      },
      { id: 'subject', title: t`On`, width: 'minmax(8rem,1fr)', isExtra: true, cell: (row) => row.subject ?? '—' },
      {
        id: 'result',
        title: t`Result`,
        width: '10rem',
        narrowWidth: ICON_TRACK,
        cell: (row) => <AuditResult entry={row} isShort />,
      },
    ],
    [t],
  );
}

const PATH = '/account/audit';
const ACTORS = ['person', 'administrator', 'key'] as const;
const FILTERS = ['actor', 'action', 'subject'];

function ChangeFilters() {
  const { t } = useLingui();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const words = { person: t`People`, administrator: t`Administrators`, key: t`Keys` };
  return (
    <Filters isFiltered={isFiltered} onClear={clear} end={<ExportCsv path={PATH} query={values} />}>
      <ChoiceFilter
        label={t`By`}
        any={t`By anybody`}
        value={values.actor}
        onValue={set('actor')}
        choices={ACTORS.map((value) => ({ value, label: words[value] }))}
      />
      <TextFilter label={t`Action, such as key.`} value={values.action} onValue={set('action')} />
      <TextFilter label={t`Id of its subject`} value={values.subject} onValue={set('subject')} />
    </Filters>
  );
}

/** Who changed what in the organisation, and what was refused. */
export function Changes() {
  const { t } = useLingui();
  const columns = useColumns();
  const { values, isFiltered } = useFilters(FILTERS);
  const list = useRows<AuditEntry>(PATH, values);
  return (
    <div className="pt-2">
      <Section
        title={t`Changes`}
        about={<Trans>What people and administrators changed in this account, and what was refused.</Trans>}
      >
        <ChangeFilters />
        <ListView
          label={t`Changes`}
          name="changes"
          list={list}
          columns={columns}
          rowId={(row) => row.id}
          empty={
            isFiltered ? (
              <Empty
                title={t`No entry matches`}
                next={<Trans>An action with a dot at its end finds all of its kind: key.</Trans>}
              />
            ) : (
              <Empty
                title={t`Nothing was changed yet`}
                next={<Trans>Each change of keys, members and settings appears here.</Trans>}
              />
            )
          }
        />
      </Section>
    </div>
  );
}
