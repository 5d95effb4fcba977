import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowed } from '../../api/followed.js';
import { CHANNEL_HEALTHS, CHANNEL_STATES, type Channel, VENDOR_IDS } from '../../api/operators.js';
import { type Address, useAddress, useFilters } from '../../parts/address.js';
import { DataTable } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { useSorted } from '../../parts/use-sorted.js';
import { useChannelColumns } from './channel-columns.jsx';
import { ChannelPanel } from './channel-panel.jsx';
import { useHealthWords, useStateWords } from './channel-words.jsx';

const FILTERS = ['vendor', 'state', 'health', 'q'];

const byVendor = (one: Channel, other: Channel): number =>
  `${one.vendor} ${one.id}`.localeCompare(`${other.vendor} ${other.id}`);

const isWanted =
  ({ vendor, state, health, q = '' }: Address) =>
  (channel: Channel): boolean =>
    (vendor === undefined || channel.vendor === vendor) &&
    (state === undefined || channel.state === state) &&
    (health === undefined || channel.health === health) &&
    channel.id.toLowerCase().includes(q.toLowerCase());

function ChannelFilters() {
  const { t } = useLingui();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const states = useStateWords();
  const healths = useHealthWords();
  return (
    <Filters isFiltered={isFiltered} onClear={clear}>
      <ChoiceFilter
        label={t`Vendor`}
        any={t`Any vendor`}
        value={values.vendor}
        onValue={set('vendor')}
        choices={VENDOR_IDS.map((value) => ({ value, label: value }))}
      />
      <ChoiceFilter
        label={t`State`}
        any={t`Any state`}
        value={values.state}
        onValue={set('state')}
        choices={CHANNEL_STATES.map((value) => ({ value, label: states[value] }))}
      />
      <ChoiceFilter
        label={t`Health`}
        any={t`Any health`}
        value={values.health}
        onValue={set('health')}
        choices={CHANNEL_HEALTHS.map((value) => ({ value, label: healths[value] }))}
      />
      <TextFilter label={t`Channel`} value={values.q} onValue={set('q')} />
    </Filters>
  );
}

function Rows({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const { values } = useFilters(FILTERS);
  const columns = useChannelColumns();
  const { sorted, sorting } = useSorted(channels.filter(isWanted(values)), columns);
  if (channels.length === 0)
    return <Empty title={t`No worker reports a channel`} next={<Trans>Start a worker, or look at System.</Trans>} />;
  if (sorted.length === 0)
    return <Empty title={t`No channel matches`} next={<Trans>Change the filters, or clear them.</Trans>} />;
  return (
    <DataTable
      label={t`Channels`}
      name="operator-channels"
      columns={columns}
      rows={sorted}
      {...sorting}
      rowId={(row) => row.id}
      onOpen={(row) => change({ open: row.id })}
      openId={search.open}
    />
  );
}

/** The vendors' credentials over all workers. The credentials themselves are nowhere. */
export function ChannelsPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const followed = useFollowed<{ readonly data: readonly Channel[] }>('/admin/channels');
  const channels = useMemo(() => [...(followed.data?.data ?? [])].sort(byVendor), [followed.data]);
  const close = () => change({ open: undefined });
  return (
    <Page title={t`Channels`} about={<Trans>One row for each credential of a vendor, over all workers.</Trans>}>
      <ChannelFilters />
      <FollowedView followed={followed}>{() => <Rows channels={channels} />}</FollowedView>
      <Dialog isOpen={search.open !== undefined} onClose={close} place="panel" title={search.open ?? ''}>
        {followed.data !== undefined && <ChannelPanel channel={channels.find(({ id }) => id === search.open)} />}
      </Dialog>
    </Page>
  );
}
