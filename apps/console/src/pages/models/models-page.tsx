import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Model, modelsQuery } from '../../api/models.js';
import { count } from '../../format/count.js';
import { shortPrice } from '../../format/price.js';
import { CopyButton } from '../../parts/copy-button.jsx';
import { DataTable } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { TextFilter } from '../../parts/filters.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Facts, Page, Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { sortRows } from '../../parts/sort-rows.js';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { useUnitWords } from '../../parts/unit-words.js';
import { useOpenRow } from '../../parts/use-open-row.js';
import { useModelColumns } from './model-columns.jsx';
import { MeasuredHere } from './model-health.jsx';
import { YourUsageOnIt } from './your-usage-on-it.jsx';

const ANY = 'any';

function ModelView({ model }: { readonly model: Model }) {
  const { t, i18n } = useLingui();
  const words = useUnitWords();
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
      <Section title={t`Prices`} about={<Trans>What this account pays for each unit.</Trans>}>
        <Facts
          rows={Object.entries(model.pricing.per_million).map(([unit, price]) => [
            words(unit),
            <span key={unit} className="figures">
              {shortPrice(unit, price)}
            </span>,
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
  const columns = useModelColumns();
  const { data, error, refetch } = useQuery(modelsQuery);
  const models = data?.data ?? [];
  const endpoints = [...new Set(models.flatMap((model) => model.endpoints))].sort();
  const text = search.q?.toLowerCase() ?? '';
  const shown = models.filter(
    (model) =>
      (search.endpoint === undefined || model.endpoints.includes(search.endpoint)) &&
      [model.id, model.display_name, model.owned_by, ...model.aliases].join(' ').toLowerCase().includes(text),
  );
  const set = (change: Partial<typeof search>) =>
    void navigate({
      to: '/models',
      search: { ...search, ...change } as never,
      replace: change.open === undefined,
      resetScroll: false,
    });
  const { row: open, isMissing } = useOpenRow({ rows: data?.data }, search.open, ({ id }) => id);
  const close = () => set({ open: undefined } as unknown as typeof search);
  return (
    <Page title={t`Models`} about={<Trans>What you can call, and what it costs you.</Trans>}>
      <search aria-label={t`Filters`} className="flex flex-wrap gap-2">
        <TextFilter label={t`Search`} value={search.q} onValue={(q) => set({ q } as unknown as typeof search)} />
        <Select
          label={t`Endpoint`}
          isLabelHidden
          value={search.endpoint ?? ANY}
          onValue={(value) => set({ endpoint: value === ANY ? undefined : value } as typeof search)}
          choices={[{ value: ANY, label: t`Any endpoint` }, ...endpoints.map((value) => ({ value, label: value }))]}
        />
      </search>
      {isMissing && <MissingRow id={search.open} onClose={close} />}
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data !== undefined && shown.length === 0 && (
        <Empty title={t`No model matches`} next={<Trans>Change the filters.</Trans>} />
      )}
      {shown.length > 0 && (
        <DataTable
          label={t`Models`}
          name="models"
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
        onClose={close}
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
