import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type RepricedLine, repricedQuery } from '../../api/models.js';
import { nanoUsd, type Usd, usdOfNano } from '../../format/money.js';
import { Amount } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { useUnitWords } from '../../parts/unit-words.js';

const sum = (amounts: readonly Usd[]): Usd => usdOfNano(amounts.reduce((total, amount) => total + nanoUsd(amount), 0n));

const Difference = ({ from, to }: { readonly from: Usd; readonly to: Usd }) => {
  const difference = nanoUsd(to) - nanoUsd(from);
  return (
    <span className="whitespace-nowrap">
      {difference > 0n ? '+' : ''}
      <Amount usd={usdOfNano(difference)} />
    </span>
  );
};

const CELL = 'figures py-1.5 pl-4 max-sm:pl-2 text-right';

function Lines({ lines }: { readonly lines: readonly RepricedLine[] }) {
  const { t } = useLingui();
  const words = useUnitWords();
  const comparable = lines.filter((line) => line.other_cost_usd !== null);
  const paid = sum(comparable.map((line) => line.cost_usd));
  const other = sum(comparable.map((line) => line.other_cost_usd ?? '0'));
  return (
    <div className="overflow-x-auto">
      <table className="w-full max-sm:text-small">
        <thead className="text-muted text-small">
          <tr className="border-b">
            <th className="py-1.5 text-left font-normal">{t`Used`}</th>
            <th className="py-1.5 text-right font-normal">{t`Paid`}</th>
            <th className="py-1.5 text-right font-normal">{t`On this model`}</th>
            <th className="py-1.5 text-right font-normal">{t`Difference`}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.model} className="border-b">
              <td className="wrap-anywhere py-1.5">{line.model}</td>
              <td className={CELL}>
                <Amount usd={line.cost_usd} />
              </td>
              {line.other_cost_usd === null ? (
                <td colSpan={2} className="py-1.5 pl-4 text-right text-muted text-small">
                  {t`has no price for ${line.unpriced_units.map(words).join(', ')}`}
                </td>
              ) : (
                <>
                  <td className={CELL}>
                    <Amount usd={line.other_cost_usd} />
                  </td>
                  <td className={CELL}>
                    <Difference from={line.cost_usd} to={line.other_cost_usd} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
        {comparable.length > 0 && (
          <tfoot className="font-semibold">
            <tr>
              <td className="py-1.5">{t`Together`}</td>
              <td className={CELL}>
                <Amount usd={paid} />
              </td>
              <td className={CELL}>
                <Amount usd={other} />
              </td>
              <td className={CELL}>
                <Difference from={paid} to={other} />
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** What the person's own last 30 days would have cost on this model. */
export function YourUsageOnIt({ model }: { readonly model: string }) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(repricedQuery(model));
  return (
    <Section
      title={t`Your last 30 days on this model`}
      about={<Trans>The same units at today's prices, without surcharges of long prompts.</Trans>}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      {data?.data.length === 0 && (
        <Empty
          title={t`Nothing was used in this time`}
          next={<Trans>Once you have used another model, its units are priced here.</Trans>}
        />
      )}
      {data !== undefined && data.data.length > 0 && <Lines lines={data.data} />}
    </Section>
  );
}
