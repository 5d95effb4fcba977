import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import type { OwnedEndpoint } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { useAddress, useFilters } from '../../parts/address.js';
import type { Column } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';
import { EndpointPanel } from './endpoint-panel.jsx';
import { EndpointState } from './endpoint-state.jsx';

const STATES = ['failing', 'disabled', 'healthy'] as const;
const FILTERS = ['state', 'account_id'];

function useColumns(): readonly Column<OwnedEndpoint>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      {
        id: 'url',
        title: t`Address`,
        width: 'minmax(12rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => <span className="font-medium">{row.url}</span>,
      },
      { id: 'owner', title: t`Account`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.account_email },
      {
        id: 'state',
        title: t`State`,
        width: '11rem',
        narrowWidth: '8.5rem',
        cell: (row) => <EndpointState endpoint={row} />,
      },
      {
        id: 'since',
        title: t`Failing since`,
        width: '9rem',
        isExtra: true,
        cell: (row) => (row.failing_since === null ? '—' : <Time at={row.failing_since} form="relative" />),
      },
      {
        id: 'pending',
        title: t`Waiting`,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.pending, i18n.locale),
      },
    ],
    [t, i18n.locale],
  );
}

/** The endpoints of all accounts. The navigation opens those that fail. */
export function OperatorWebhooksPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const list = useFollowedRows<OwnedEndpoint>('/admin/webhook-endpoints', values);
  const words = { failing: t`Failing`, disabled: t`Disabled`, healthy: t`Healthy` };
  const { row: endpoint, isMissing } = useOpenRow(list, search.open, ({ id }) => id);
  const close = () => change({ open: undefined });
  return (
    <Page title={t`All webhooks`} about={<Trans>Receivers of all accounts, and which of them fail.</Trans>}>
      <Filters isFiltered={isFiltered} onClear={clear}>
        <ChoiceFilter
          label={t`State`}
          any={t`Any state`}
          value={values.state}
          onValue={set('state')}
          choices={STATES.map((value) => ({ value, label: words[value] }))}
        />
        <TextFilter label={t`Account id`} value={values.account_id} onValue={set('account_id')} />
      </Filters>
      {isMissing && <MissingRow id={search.open} onClose={() => change({ open: undefined })} />}
      <ListView
        list={list}
        label={t`Endpoints`}
        name="operator-webhooks"
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => change({ open: row.id })}
        openId={search.open}
        empty={
          <Empty title={t`No endpoint matches`} next={<Trans>Choose another state, or clear the filters.</Trans>} />
        }
      />
      <Dialog isOpen={endpoint !== undefined} onClose={close} place="panel" title={t`Endpoint`}>
        {endpoint !== undefined && <EndpointPanel key={endpoint.id} endpoint={endpoint} />}
      </Dialog>
    </Page>
  );
}
