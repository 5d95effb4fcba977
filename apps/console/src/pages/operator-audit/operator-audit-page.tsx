import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import type { AuditEntry } from '../../api/operators.js';
import { useAddress, useFilters } from '../../parts/address.js';
import { AuditActor, AuditResult, useActors } from '../../parts/audit-entry.jsx';
import { CodeBlock } from '../../parts/code-block.jsx';
import { CodeWords } from '../../parts/code-words.jsx';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Facts, Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';

const ACTORS = ['person', 'administrator', 'key', 'nobody'] as const;
const FILTERS = ['actor', 'action', 'account_id', 'administrator'];

function useColumns(): readonly Column<AuditEntry>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'at', title: t`Time`, width: '8.5rem', narrowWidth: TIME_TRACK, cell: (row) => <Time at={row.at} /> },
      {
        id: 'who',
        title: t`Who`,
        width: 'minmax(8rem,1fr)',
        isExtra: true,
        cell: (row) => <AuditActor entry={row} />,
      },
      {
        id: 'action',
        title: t`Action`,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => (
          <code className="font-mono text-small">
            <CodeWords text={row.action} />
          </code>
        ),
      },
      {
        id: 'subject',
        title: t`About`,
        width: 'minmax(8rem,1fr)',
        isExtra: true,
        cell: (row) => <code className="font-mono text-muted text-small">{row.subject ?? row.account_id}</code>,
      },
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

function AuditFilters() {
  const { t } = useLingui();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const { words } = useActors();
  return (
    <Filters isFiltered={isFiltered} onClear={clear}>
      <ChoiceFilter
        label={t`Who`}
        any={t`Everybody`}
        value={values.actor}
        onValue={set('actor')}
        choices={ACTORS.map((value) => ({ value, label: words[value] ?? value }))}
      />
      <TextFilter label={t`Action`} value={values.action} onValue={set('action')} />
      <TextFilter label={t`Account id`} value={values.account_id} onValue={set('account_id')} />
      <TextFilter label={t`Administrator`} value={values.administrator} onValue={set('administrator')} />
    </Filters>
  );
}

function EntryView({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useLingui();
  const { nameOf } = useActors();
  return (
    <div className="flex flex-col gap-5">
      <Facts
        rows={[
          [t`Time`, <Time key="at" at={entry.at} form="exact" />],
          [t`Who`, nameOf(entry)],
          [t`Role`, entry.person?.role ?? '—'],
          [t`Action`, entry.action],
          [t`About`, entry.subject ?? '—'],
          [t`Account`, entry.account_id ?? '—'],
          [t`Network address`, entry.ip ?? '—'],
          [t`Request`, entry.request_id],
          [t`Result`, <AuditResult key="result" entry={entry} />],
        ]}
      />
      <CodeBlock label={t`Details`} code={JSON.stringify(entry.details, null, 2)} />
    </div>
  );
}

/** Who changed what, in all accounts. */
export function OperatorAuditPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const { values } = useFilters(FILTERS);
  const list = useFollowedRows<AuditEntry>('/admin/audit', values);
  const { row: entry, isMissing } = useOpenRow(list, search.open, ({ id }) => id);
  return (
    <Page title={t`Audit`} about={<Trans>Every change in every account, and each look of an operator.</Trans>}>
      <AuditFilters />
      {isMissing && <MissingRow id={search.open} onClose={() => change({ open: undefined })} />}
      <ListView
        list={list}
        label={t`Audit`}
        name="operator-audit"
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => change({ open: row.id })}
        openId={search.open}
        empty={
          <Empty
            title={t`No entry matches`}
            next={<Trans>An action with a dot at its end finds all of its kind: key.</Trans>}
          />
        }
      />
      <Dialog isOpen={entry !== undefined} onClose={() => change({ open: undefined })} place="panel" title={t`Entry`}>
        {entry !== undefined && <EntryView key={entry.id} entry={entry} />}
      </Dialog>
    </Page>
  );
}
