import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { healthQuery, type Model, type ModelHealth } from '../../api/models.js';
import { shortCount } from '../../format/count.js';
import { unitPrice } from '../../format/price.js';
import { duration } from '../../format/time.js';
import type { Column } from '../../parts/data-table.jsx';
import { useUnitWords } from '../../parts/unit-words.js';

type Columns = readonly Column<Model>[];

/** What a person pays first for: input tokens, else the first unit of the price. */
const mainPrice = ({
  pricing: { per_million: prices },
}: Model): readonly [unit: string, perMillion: string] | undefined =>
  Object.entries(prices).find(([name]) => name === 'input_token') ?? Object.entries(prices)[0];

const amountOf = (model: Model): string => {
  const price = mainPrice(model);
  return price === undefined ? '—' : unitPrice(...price).amount;
};

/** `1M input token`, `second 720p`: what the amount beside it buys. */
const MainUnit = ({ model }: { readonly model: Model }) => {
  const { t } = useLingui();
  const words = useUnitWords();
  const price = mainPrice(model);
  if (price === undefined) return null;
  const name = words(price[0]);
  return <span className="text-muted">{unitPrice(...price).isPerMillion ? t`1M ${name}` : name}</span>;
};

const outputOf = ({ pricing: { per_million: prices } }: Model): string => {
  const { output_token: price } = prices;
  return price === undefined ? '—' : unitPrice('output_token', price).amount;
};

const NO_DIGIT = /[^\d.]/g;

/** For the order only. Undefined: there is no price, so the row comes last. */
function numberOf(amount: string): number | undefined {
  const digits = amount.replace(NO_DIGIT, '');
  return digits === '' ? undefined : Number(digits);
}

/** What was measured, by model. Nothing while it loads: the list must not wait for it. */
function useHealth(): ReadonlyMap<string, ModelHealth> {
  const { data } = useQuery(healthQuery);
  return useMemo(() => new Map(data?.data.map((health) => [health.model, health])), [data]);
}

function useNameColumns(): Columns {
  const { t } = useLingui();
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
    ],
    [t],
  );
}

function useMeasureColumns(): Columns {
  const { t, i18n } = useLingui();
  const health = useHealth();
  const perCent = useMemo(
    () => new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumSignificantDigits: 2 }),
    [i18n.locale],
  );
  return useMemo(
    () => [
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
        width: '6.5rem',
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
    ],
    [t, i18n.locale, health, perCent],
  );
}

function usePriceColumns(): Columns {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'price',
        title: t`Price`,
        width: '6.5rem',
        narrowWidth: '5.5rem',
        isNumber: true,
        sortBy: (row) => numberOf(amountOf(row)),
        cell: amountOf,
      },
      {
        id: 'unit',
        title: t`Per`,
        width: '9.5rem',
        narrowWidth: '7rem',
        cell: (row) => <MainUnit model={row} />,
      },
      {
        id: 'output',
        title: t`1M output`,
        width: '6.5rem',
        isNumber: true,
        isExtra: true,
        sortBy: (row) => numberOf(outputOf(row)),
        cell: outputOf,
      },
    ],
    [t],
  );
}

/** A model, what was measured of it here, and what it costs the account. */
export function useModelColumns(): Columns {
  const names = useNameColumns();
  const measures = useMeasureColumns();
  const prices = usePriceColumns();
  return useMemo(() => [...names, ...measures, ...prices], [names, measures, prices]);
}
