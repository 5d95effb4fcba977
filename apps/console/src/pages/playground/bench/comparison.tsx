import { useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import type { Model } from '../../../api/models.js';
import { receiptQuery } from '../../../api/requests.js';
import { nanoUsd, type Usd } from '../../../format/money.js';
import { duration } from '../../../format/time.js';
import { Amount } from '../../../parts/figures.jsx';
import { Tag } from '../../../parts/status.jsx';
import { type Exchange, hasEnded } from './exchange.js';

type AnyExchange = Exchange<unknown, unknown>;

interface Line {
  readonly model: string;
  readonly firstMs: number | null;
  readonly wholeMs: number;
  /** Null: not settled yet, or never charged. */
  readonly cost: Usd | null;
}

/** The latest answer of each model, once all have ended and are settled. */
function useLines(
  models: readonly Model[],
  columns: Readonly<Record<string, readonly AnyExchange[]>>,
): readonly Line[] {
  const ended = models.flatMap(({ id }) => {
    const exchange = columns[id]?.at(-1);
    return exchange !== undefined && hasEnded(exchange) && exchange.endedMs !== null ? [{ id, exchange }] : [];
  });
  const isWhole = models.length > 1 && ended.length === models.length;
  const receipts = useQueries({
    queries: ended.map(({ exchange: { requestId } }) => ({
      ...receiptQuery(requestId ?? ''),
      enabled: isWhole && requestId !== null,
      retry: false,
    })),
  });
  if (!isWhole) return [];
  return ended.map(({ id, exchange: { sentMs, firstMs, endedMs } }, index) => {
    const receipt = receipts[index]?.data;
    return {
      model: id,
      firstMs: firstMs === null ? null : firstMs - sentMs,
      wholeMs: (endedMs ?? sentMs) - sentMs,
      cost: receipt?.status === 'settled' ? receipt.cost_usd : null,
    };
  });
}

const leastOf = <Value extends number | bigint>(values: readonly Value[]): Value | undefined =>
  values.reduce<Value | undefined>((least, value) => (least === undefined || value < least ? value : least), undefined);

/** The latest answers beside each other: which model was the fastest, and which cost least. */
export function Comparison({
  models,
  columns,
}: {
  readonly models: readonly Model[];
  readonly columns: Readonly<Record<string, readonly AnyExchange[]>>;
}) {
  const { t, i18n } = useLingui();
  const lines = useLines(models, columns);
  if (lines.length === 0) return null;
  const fastest = leastOf(lines.map(({ wholeMs }) => wholeMs));
  const cheapest = leastOf(lines.flatMap(({ cost }) => (cost === null ? [] : [nanoUsd(cost)])));
  return (
    <div className="overflow-x-auto">
      <table aria-label={t`Comparison`} className="w-full">
        <thead className="text-muted text-small">
          <tr className="border-b">
            <th className="py-1.5 text-left font-normal">{t`Model`}</th>
            <th className="py-1.5 text-right font-normal">{t`First byte`}</th>
            <th className="py-1.5 text-right font-normal">{t`Whole answer`}</th>
            <th className="py-1.5 text-right font-normal">{t`Cost`}</th>
          </tr>
        </thead>
        <tbody className="figures whitespace-nowrap">
          {lines.map(({ model, firstMs, wholeMs, cost }) => (
            <tr key={model} className="border-b last:border-0">
              <th className="py-1.5 text-left font-medium">{model}</th>
              <td className="py-1.5 pl-4 text-right">{firstMs === null ? '—' : duration(firstMs, i18n.locale)}</td>
              <td className="py-1.5 pl-4 text-right">
                {wholeMs === fastest && <Tag>{t`fastest`}</Tag>} {duration(wholeMs, i18n.locale)}
              </td>
              <td className="py-1.5 pl-4 text-right">
                {cost !== null && nanoUsd(cost) === cheapest && <Tag>{t`cheapest`}</Tag>}{' '}
                {cost === null ? '—' : <Amount usd={cost} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
