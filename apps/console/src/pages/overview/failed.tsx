import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuery } from '../../api/money.js';
import { useSession } from '../../api/session.js';
import { count } from '../../format/count.js';
import { Figure } from '../../parts/figure.jsx';
import { useOutcomeWords } from '../../parts/outcome.jsx';
import { type Days, startOfDay } from './days.js';

const FAILED = ['failed', 'interrupted', 'expired'] as const;

/** Requests that did not end well. Each outcome opens as many of them as it counts. */
export function Failed({ month }: { readonly month: Days }) {
  const { t, i18n } = useLingui();
  const words = useOutcomeWords();
  const { account } = useSession();
  const { data } = useQuery(usageQuery('outcome', month.from, month.to));
  const requestsOf = (outcome: string) => data?.data.find((line) => line.outcome === outcome)?.requests ?? 0;
  const found = FAILED.map((outcome) => ({ outcome, requests: requestsOf(outcome) }));
  const failed = found.reduce((sum, { requests }) => sum + requests, 0);
  const from = startOfDay(month.from, account.time_zone);
  return (
    <Figure
      name={t`Failed this month`}
      about={
        failed > 0 && (
          <span className="flex flex-wrap gap-x-3">
            {found
              .filter(({ requests }) => requests > 0)
              .map(({ outcome, requests }) => (
                <Link
                  key={outcome}
                  to="/requests"
                  search={{ outcome, from } as never}
                  className="text-accent hover:underline"
                >
                  {words[outcome]} {count(requests, i18n.locale)}
                </Link>
              ))}
          </span>
        )
      }
    >
      {data === undefined ? '—' : count(failed, i18n.locale)}
    </Figure>
  );
}
