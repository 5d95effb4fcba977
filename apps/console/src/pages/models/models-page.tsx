import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { healthQuery, type Model, type ModelHealth, modelsQuery } from '../../api/models.js';
import { count, shortCount } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { CopyButton } from '../../parts/copy-button.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Facts, Page, Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { sortRows } from '../../parts/sort-rows.js';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { MeasuredHere } from './model-health.jsx';
import { YourUsageOnIt } from './your-usage-on-it.jsx';

const ANY = 'any';

/** What a person pays first for: input tokens, else the first unit of the price. */
const mainPrice = ({ pricing: { per_million: prices } }: Model): string => {
  const [unit, price] =
    Object.entries(prices).find(([name]) => name === 'input_token') ?? Object.entries(prices)[0] ?? [];
  return unit === undefined ? '—' : `$${price}`;
};

/** What was measured, by model. Nothing while it loads: the list must not wait for it. */
function useHealth(): ReadonlyMap<string, ModelHealth> {
  const { data } = useQuery(healthQuery);
  return useMemo(() => new Map(data?.data.map((health) => [health.model, health])), [data]);
}

function useColumns(): readonly Column<Model>[] {
  const { t, i18n } = useLingui();
  const health = useHealth();
  const perCent = useMemo(
    () => new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumSignificantDigits: 2 }),
    [i18n.locale],
  );
  return useMemo(
    () => [
      {
        id: 'id',
        title: t`Model`,
        width: 'minmax(11rem,1.5fr)',
        narrowWidth: '1fr',
        sortBy: (row) => row.id,
        cell: (row) => <span className="font-medium">{row.id}</span>,
      },
      {
        id: 'vendor',
        title: t`Vendor`,
        width: '8rem',
        isExtra: true,
        sortBy: (row) => row.owned_by,
        cell: (row) => row.owned_by,
      },
      {
        id: 'endpoints',
        title: t`Endpoints`,
        width: 'minmax(10rem,2fr)',
        isExtra: true,
        cell: (row) => row.endpoints.join(', '),
      },
      {
        id: 'context',
        title: t`Context`,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        sortBy: ({ limits }) => limits.context_tokens,
        cell: ({ limits: { context_tokens: tokens } }) =>
          tokens === undefined ? '—' : shortCount(tokens, i18n.locale),
      },
      {
        id: 'speed',
        title: t`First byte`,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        sortBy: ({ id }) => health.get(id)?.own?.first_byte_ms?.median,
        cell: ({ id }) => {
          const median = health.get(id)?.own?.first_byte_ms?.median;
          return median === undefined ? '—' : duration(median, i18n.locale);
        },
      },
      {
        id: 'failed',
        title: t`Failed`,
        width: '5.5rem',
        isNumber: true,
        isExtra: true,
        cell: ({ id }) => {
          const rate = health.get(id)?.error_rate ?? health.get(id)?.own?.error_rate;
          return rate === undefined ? '—' : perCent.format(rate);
        },
      },
      {
        id: 'price',
        title: t`Input, per million`,
        width: '9rem',
        isNumber: true,
        sortBy: (row) => Number(mainPrice(row).slice(1)),
        cell: mainPrice,
      },
    ],
    [t, i18n.locale, health, perCent],
  );
}

function ModelView({ model }: { readonly model: Model }) {
  const { t, i18n } = useLingui();
  const { context_tokens: context, max_output_tokens: output } = model.limits;
  return (
    <div className="flex flex-col gap-7">
      {model.shutdown_date !== null && (
        <Status meaning="warned" isSentence>
          <Trans>
            The vendor ends it on {model.shutdown_date}. Then {model.successor ?? t`nothing`} serves this name.
          </Trans>
        </Status>
      )}
      <Facts
        rows={[
          [t`Vendor`, model.owned_by],
          [t`Context`, context === undefined ? '—' : t`${count(context, i18n.locale)} tokens`],
          [t`Longest answer`, output === undefined ? '—' : t`${count(output, i18n.locale)} tokens`],
          [t`Endpoints`, model.endpoints.join(', ')],
          [t`Other names`, model.aliases.join(', ') || '—'],
        ]}
      />
      <Section title={t`Prices`} about={<Trans>USD for a million of each unit, for this account.</Trans>}>
        <Facts
          rows={Object.entries(model.pricing.per_million).map(([unit, price]) => [
            unit.replaceAll('_', ' '),
            `$${price}`,
          ])}
        />
        <p className="text-muted text-small">
          <Trans>Price version {model.pricing.version}</Trans>
        </p>
      </Section>
      <MeasuredHere model={model.id} />
      <YourUsageOnIt model={model.id} />
    </div>
  );
}

/** Every model that is served, with what it costs this account. */
export function ModelsPage() {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as {
    open?: string;
    endpoint?: string;
    q?: string;
    sort?: string;
  };
  const navigate = useNavigate();
  const columns = useColumns();
  const { data, error, refetch } = useQuery(modelsQuery);
  const models = data?.data ?? [];
  const endpoints = [...new Set(models.flatMap((model) => model.endpoints))].sort();
  const text = search.q?.toLowerCase() ?? '';
  const shown = models.filter(
    (model) =>
      (search.endpoint === undefined || model.endpoints.includes(search.endpoint)) &&
      `${model.id} ${model.display_name} ${model.owned_by}`.toLowerCase().includes(text),
  );
  const set = (change: Partial<typeof search>) =>
    void navigate({ to: '/models', search: { ...search, ...change } as never, replace: change.open === undefined });
  const open = models.find(({ id }) => id === search.open);
  return (
    <Page title={t`Models`} about={<Trans>What you can call, and what it costs you.</Trans>}>
      <search aria-label={t`Filters`} className="flex flex-wrap gap-2">
        <input
          type="search"
          aria-label={t`Search`}
          placeholder={t`Search`}
          value={search.q ?? ''}
          onChange={({ target }) => set({ q: target.value || undefined } as typeof search)}
          className="h-8 w-56 rounded-control border border-line-strong bg-surface px-2.5 placeholder:text-muted"
        />
        <Select
          label={t`Endpoint`}
          isLabelHidden
          value={search.endpoint ?? ANY}
          onValue={(value) => set({ endpoint: value === ANY ? undefined : value } as typeof search)}
          choices={[{ value: ANY, label: t`Any endpoint` }, ...endpoints.map((value) => ({ value, label: value }))]}
        />
      </search>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data !== undefined && shown.length === 0 && (
        <Empty title={t`No model matches`} next={<Trans>Change the filters.</Trans>} />
      )}
      {shown.length > 0 && (
        <DataTable
          label={t`Models`}
          columns={columns}
          rows={sortRows(shown, columns, search.sort)}
          order={search.sort}
          onOrder={(sort) => set({ sort } as typeof search)}
          rowId={(row) => row.id}
          onOpen={(row) => set({ open: row.id })}
          openId={search.open}
        />
      )}
      <Dialog
        isOpen={open !== undefined}
        onClose={() => set({ open: undefined } as unknown as typeof search)}
        place="panel"
        title={open?.display_name ?? ''}
        about={
          <span className="flex items-center gap-1">
            <code className="font-mono text-small">{open?.id}</code>
            <CopyButton text={open?.id ?? ''} label={t`Copy the model id`} />
          </span>
        }
      >
        {open !== undefined && <ModelView model={open} />}
      </Dialog>
    </Page>
  );
}
