import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useMemo } from 'react';
import { useFollowed } from '../../api/followed.js';
import type { Process, RedisFacts, System } from '../../api/operators.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Time } from '../../parts/figures.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Facts, Page, Section } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { Administrators } from './administrators.jsx';

const bytes = (value: number, locale: string): string => {
  const power = value < 1_024 ** 3 ? 2 : 3;
  const unit = power === 2 ? 'megabyte' : 'gigabyte';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    value / 1_024 ** power,
  );
};

/** Long names and values, which break anywhere on a phone. */
const Pairs = ({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="flex flex-col">
    {rows.map(([name, value]) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-6 border-b py-1 last:border-0">
        <dt className="break-all font-mono text-muted text-small">{name}</dt>
        <dd className="break-all">{value}</dd>
      </div>
    ))}
  </dl>
);

const Away = () => {
  const { t } = useLingui();
  return <Status meaning="failed">{t`Does not answer`}</Status>;
};

function Postgres({ facts }: { readonly facts: System['postgres'] }) {
  const { t, i18n } = useLingui();
  if (facts === null) return <Away />;
  return (
    <Facts
      rows={[
        [t`Version`, facts.version],
        [t`Running since`, <Time key="since" at={facts.started_at} form="relative" />],
        [t`Size`, bytes(facts.size_bytes, i18n.locale)],
        [t`Connections`, t`${facts.connections} of ${facts.max_connections}`],
        [t`Answers in`, t`${facts.latency_ms} ms`],
      ]}
    />
  );
}

function Redis({ facts }: { readonly facts: RedisFacts | null }) {
  const { t, i18n } = useLingui();
  if (facts === null) return <Away />;
  const limit = facts.limit_bytes === null ? t`the machine's memory` : bytes(facts.limit_bytes, i18n.locale);
  return (
    <Facts
      rows={[
        [t`Version`, facts.version],
        [t`Running since`, <Time key="since" at={facts.started_at} form="relative" />],
        [t`Memory`, t`${bytes(facts.used_bytes, i18n.locale)} of ${limit}`],
        [t`When full`, facts.eviction_policy],
        [t`Masters`, facts.masters],
        [t`Answers in`, t`${facts.latency_ms} ms`],
      ]}
    />
  );
}

function useProcessColumns(): readonly Column<Process>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'service',
        title: t`Service`,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => <span className="font-medium">{row.service}</span>,
      },
      { id: 'host', title: t`Host`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.host },
      { id: 'release', title: t`Release`, width: '7rem', narrowWidth: '5rem', cell: (row) => row.release ?? '—' },
      {
        id: 'since',
        title: t`Running since`,
        width: '10rem',
        narrowWidth: '8rem',
        cell: (row) => <Time at={row.started_at} form="relative" />,
      },
    ],
    [t],
  );
}

/** The services that report themselves. A deployment may leave some of them out. */
const SERVICES = ['accounts', 'api-edge', 'billing', 'sync-worker', 'video-worker'];

const byService = (one: Process, other: Process): number =>
  `${one.service} ${one.host}`.localeCompare(`${other.service} ${other.host}`);

function Processes({ system }: { readonly system: System }) {
  const { t } = useLingui();
  const columns = useProcessColumns();
  const processes = useMemo(() => [...system.processes].sort(byService), [system.processes]);
  const missing = SERVICES.filter((service) => processes.every((process) => process.service !== service)).join(', ');
  if (processes.length === 0)
    return (
      <Empty title={t`No process reports itself`} next={<Trans>Look whether the Redis of the queues answers.</Trans>} />
    );
  return (
    <>
      <DataTable label={t`Processes`} columns={columns} rows={processes} rowId={(row) => row.id} />
      {missing !== '' && (
        <Status meaning="warned" isSentence>
          {t`No process of ${missing} reports itself.`}
        </Status>
      )}
    </>
  );
}

function Stores({ system }: { readonly system: System }) {
  const { t } = useLingui();
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2">
      <Section title={t`PostgreSQL`}>
        <Postgres facts={system.postgres} />
      </Section>
      <Section title={t`Redis of the money`}>
        <Redis facts={system.redis} />
      </Section>
      <Section title={t`Redis of the queues`}>
        <Redis facts={system.queue_redis} />
      </Section>
      <Section title={t`Settings of the service accounts`}>
        <Pairs rows={system.settings.map(({ name, value }) => [name, value ?? '—'])} />
      </Section>
    </div>
  );
}

function Migrations({ system }: { readonly system: System }) {
  const { t } = useLingui();
  const migrations = system.postgres?.migrations.toReversed() ?? [];
  return (
    <Section title={t`Migrations`} about={<Trans>Applied to the database, the newest first.</Trans>}>
      <Pairs rows={migrations.map(({ name, finished_at: at }) => [name, <Time key={name} at={at} form="exact" />])} />
    </Section>
  );
}

/** What runs: versions, copies, stores, settings, and who may see these pages. */
export function SystemPage() {
  const { t } = useLingui();
  const followed = useFollowed<System>('/admin/system');
  return (
    <Page title={t`System`}>
      <FollowedView followed={followed}>
        {(system) => (
          <div className="flex flex-col gap-8">
            <Section
              title={t`Processes`}
              about={t`Release ${system.release} on Node.js ${system.node}. Prometheus sees batch-worker and mcp-server.`}
            >
              <Processes system={system} />
            </Section>
            <Stores system={system} />
            <Administrators />
            <Migrations system={system} />
          </div>
        )}
      </FollowedView>
    </Page>
  );
}
