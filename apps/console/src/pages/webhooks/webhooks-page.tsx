import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useRows } from '../../api/pages.js';
import { usePolledRows } from '../../api/polled.js';
import { useMay } from '../../api/session.js';
import { DELIVERY_STATES, type Delivery, type WebhookEndpoint } from '../../api/webhooks.js';
import { Button } from '../../parts/button.jsx';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Page, Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { DeliveryPanel } from './delivery-panel.jsx';
import { DeliveryState, useDeliveryWords } from './delivery-state.jsx';
import { EndpointRow } from './endpoint-row.jsx';
import { NewEndpointDialog } from './new-endpoint-dialog.jsx';
import { SigningSecretSection } from './signing-secret.jsx';

const REFRESH_MS = 5_000;

const always = () => REFRESH_MS;

function Endpoints() {
  const { t } = useLingui();
  const {
    rows: endpoints,
    error,
    retry,
  } = usePolledRows<WebhookEndpoint>('/account/webhook-endpoints', { limit: undefined }, always);
  if (endpoints === undefined)
    return error === null ? <Skeleton rows={2} /> : <Problem error={error} onRetry={retry} />;
  if (endpoints.length === 0)
    return (
      <Empty
        title={t`No endpoints yet`}
        next={<Trans>Add an address; it is notified when a task or a kept request ends.</Trans>}
      />
    );
  return (
    <ul aria-label={t`Endpoints`}>
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} endpoint={endpoint} />
      ))}
    </ul>
  );
}

function useDeliveryColumns(): readonly Column<Delivery>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t`Time`,
        width: '8.5rem',
        narrowWidth: TIME_TRACK,
        cell: (row) => <Time at={row.created_at} />,
      },
      {
        id: 'state',
        title: t`State`,
        width: '8rem',
        narrowWidth: ICON_TRACK,
        cell: (row) => <DeliveryState state={row.state} isShort />,
      },
      { id: 'event', title: t`Event`, width: 'minmax(9rem,1fr)', narrowWidth: '1fr', cell: (row) => row.event.type },
      { id: 'url', title: t`Address`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.url },
      { id: 'attempts', title: t`Attempts`, width: '6rem', isNumber: true, isExtra: true, cell: (row) => row.attempts },
    ],
    [t],
  );
}

/** Filters of the deliveries, as the address holds them. */
interface DeliverySearch {
  readonly open?: string | undefined;
  readonly state?: string | undefined;
  readonly endpoint_id?: string | undefined;
}

function DeliveryFilters({
  search,
  onChange,
}: {
  readonly search: DeliverySearch;
  readonly onChange: (next: DeliverySearch) => void;
}) {
  const { t } = useLingui();
  const words = useDeliveryWords();
  const { rows: endpoints = [] } = useRows<WebhookEndpoint>('/account/webhook-endpoints', { limit: undefined });
  const { open: _open, ...filter } = search;
  return (
    <Filters
      isFiltered={filter.state !== undefined || filter.endpoint_id !== undefined}
      onClear={() => onChange({})}
      end={<ExportCsv path="/account/webhook-deliveries" query={filter} />}
    >
      <ChoiceFilter
        label={t`State`}
        any={t`Any state`}
        value={filter.state}
        onValue={(state) => onChange({ ...filter, state })}
        choices={DELIVERY_STATES.map((value) => ({ value, label: words[value] }))}
      />
      <ChoiceFilter
        label={t`Endpoint`}
        any={t`Any endpoint`}
        value={filter.endpoint_id}
        onValue={(endpoint_id) => onChange({ ...filter, endpoint_id })}
        choices={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
      />
    </Filters>
  );
}

function DeliveryRows({ search, onOpen }: { readonly search: DeliverySearch; readonly onOpen: (id: string) => void }) {
  const { t } = useLingui();
  const columns = useDeliveryColumns();
  const { open, ...filter } = search;
  const list = usePolledRows<Delivery>('/account/webhook-deliveries', { ...filter }, always);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <ListView
      label={t`Deliveries`}
      name="deliveries"
      list={list}
      columns={columns}
      rowId={(row) => row.id}
      onOpen={(row) => onOpen(row.id)}
      openId={open}
      empty={
        isFiltered ? (
          <Empty title={t`No delivery matches`} next={<Trans>Change the filters, or clear them.</Trans>} />
        ) : (
          <Empty title={t`No delivery here`} next={<Trans>Send a test event to see one.</Trans>} />
        )
      }
    />
  );
}

function Deliveries() {
  const { open, state, endpoint_id } = useSearch({ strict: false }) as DeliverySearch;
  const navigate = useNavigate();
  const search = { open, state, endpoint_id };
  const go = (next: DeliverySearch, replace: boolean) =>
    void navigate({ to: '/webhooks', search: next as never, replace, resetScroll: false });
  return (
    <>
      <DeliveryFilters search={search} onChange={(next) => go(next, true)} />
      <DeliveryRows search={search} onOpen={(id) => go({ ...search, open: id }, false)} />
      <DeliveryPanel id={open} onClose={() => go({ ...search, open: undefined }, false)} />
    </>
  );
}

/** Where events go, and what became of each. */
export function WebhooksPage() {
  const { t } = useLingui();
  const { make } = useSearch({ strict: false }) as { make?: string };
  const navigate = useNavigate();
  const mayChange = useMay('developer');
  const show = (search: object) => void navigate({ to: '/webhooks', search: search as never, resetScroll: false });
  return (
    <Page
      title={t`Webhooks`}
      about={<Trans>Your servers receive ended tasks, kept requests and low balances.</Trans>}
      {...(mayChange && {
        action: (
          <Button kind="filled" onClick={() => show({ make: 'endpoint' })}>
            <Plus aria-hidden />
            <Trans>New endpoint</Trans>
          </Button>
        ),
      })}
    >
      <Section title={t`Endpoints`}>
        <Endpoints />
      </Section>
      <SigningSecretSection />
      <Section title={t`Deliveries`}>
        <Deliveries />
      </Section>
      <NewEndpointDialog isOpen={mayChange && make !== undefined} onClose={() => show({})} />
    </Page>
  );
}
