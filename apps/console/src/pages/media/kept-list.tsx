import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { useRows } from '../../api/pages.js';
import type { Column } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { ChoiceFilter, Filters } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import type { Choice } from '../../parts/select.jsx';
import { Empty } from '../../parts/states.jsx';
import type { useListSearch } from './use-list-search.js';

interface KeptListProps<Row> {
  readonly label: string;
  readonly path: string;
  readonly list: ReturnType<typeof useRows<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly search: ReturnType<typeof useListSearch>;
  /** The filter beside that of the mode. `any`: the name of no choice. */
  readonly choice: {
    readonly name: string;
    readonly label: string;
    readonly any: string;
    readonly choices: readonly Choice<string>[];
  };
  /** Titles without rows, with filters and without; and what to do then. */
  readonly empty: { readonly filtered: string; readonly title: string; readonly next: ReactNode };
}

/** A list of what an account keeps: one mode at a time, live data first, with one more filter. */
export function KeptList<Row extends { readonly id: string }>(props: KeptListProps<Row>) {
  const { t } = useLingui();
  const { label, path, list, columns, choice, empty } = props;
  const { filter, isFiltered, open, set, clear, show } = props.search;
  const { name, ...choices } = choice;
  return (
    <>
      <Filters isFiltered={isFiltered} onClear={clear} end={<ExportCsv path={path} query={filter} />}>
        <ChoiceFilter {...choices} value={filter[name]} onValue={set(name)} />
        <ChoiceFilter
          label={t`Mode`}
          any={t({ message: 'Live', context: 'mode' })}
          choices={[{ value: 'true', label: t`Test keys` }]}
          value={filter.test}
          onValue={set('test')}
        />
      </Filters>
      <ListView
        label={label}
        name={path}
        columns={columns}
        list={list}
        rowId={(row) => row.id}
        onOpen={(row) => show(row.id)}
        openId={open}
        empty={
          isFiltered ? (
            <Empty title={empty.filtered} next={<Trans>Change the filters, or clear them.</Trans>} />
          ) : (
            <Empty title={empty.title} next={empty.next} />
          )
        }
      />
    </>
  );
}
