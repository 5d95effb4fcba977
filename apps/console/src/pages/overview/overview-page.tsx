import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountSettingsQuery } from '../../api/account-settings.js';
import { balanceQuery, type UsageLine, usageQuery } from '../../api/money.js';
import { useSession } from '../../api/session.js';
import { nanoUsd, usdOfNano } from '../../format/money.js';
import { Figure, FigureRow } from '../../parts/figure.jsx';
import { Amount, useNow } from '../../parts/figures.jsx';
import { NoCredit } from '../../parts/no-credit.jsx';
import { Page, Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { useWasTrue } from '../../parts/use-was-true.js';
import { Breakdown } from './breakdown.jsx';
import { Caps } from './caps.jsx';
import { lastDays, thisMonth } from './days.js';
import { Failed } from './failed.jsx';
import { LedgerLine } from './ledger-line.jsx';
import { Speed } from './speed.jsx';
import { UsageChart } from './usage-chart.jsx';

const PERIOD_DAYS = 30;

/** A page may stay open over midnight: then a new day is today. */
const DAY_EVERY_MS = 60_000;

const costOf = (lines: readonly UsageLine[]): string =>
  usdOfNano(lines.reduce((sum, line) => sum + nanoUsd(line.cost_usd), 0n));

const requestsOf = (lines: readonly UsageLine[]): number => lines.reduce((sum, line) => sum + line.requests, 0);

function Figures() {
  const { t } = useLingui();
  const { account } = useSession();
  const month = thisMonth(account.time_zone, useNow(DAY_EVERY_MS).getTime());
  const balance = useQuery(balanceQuery);
  const usage = useQuery(usageQuery('day', month.from, month.to));
  if (balance.data === undefined || usage.data === undefined) {
    const error = balance.error ?? usage.error;
    const readAgain = () => void Promise.all([balance.refetch(), usage.refetch()]);
    return error === null ? <Skeleton rows={2} /> : <Problem error={error} onRetry={readAgain} />;
  }
  const lines = usage.data.data;
  const today = lines.find(({ day }) => day === month.to);
  const requests = requestsOf(lines);
  return (
    <FigureRow>
      <Figure
        name={t`Available`}
        about={
          <Trans>
            <Amount usd={balance.data.held_usd} /> held by running requests
          </Trans>
        }
      >
        <Amount usd={balance.data.available_usd} />
      </Figure>
      <Figure name={t`Spent today`} about={<Plural value={today?.requests ?? 0} one="# request" other="# requests" />}>
        <Amount usd={today?.cost_usd ?? '0.00'} />
      </Figure>
      <Figure name={t`Spent this month`} about={<Plural value={requests} one="# request" other="# requests" />}>
        <Amount usd={costOf(lines)} />
      </Figure>
      <Failed month={month} />
    </FigureRow>
  );
}

function Charts() {
  const { t } = useLingui();
  const { account } = useSession();
  const days = lastDays(PERIOD_DAYS, account.time_zone, useNow(DAY_EVERY_MS).getTime());
  const { data, error, refetch } = useQuery(usageQuery('day', days.from, days.to));
  const link = (
    <Link to="/requests" className="text-accent hover:underline">
      <Trans>See the requests</Trans>
    </Link>
  );
  return (
    <>
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-2">
        <Section
          title={t`Cost, last 30 days`}
          about={
            data === undefined ? undefined : (
              <Trans>
                Together <Amount usd={costOf(data.data)} isExact />: the sum of the charges.
              </Trans>
            )
          }
          action={link}
        >
          {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
          {data === undefined && error === null && <Skeleton rows={5} />}
          {data !== undefined && <UsageChart measure="cost" lines={data.data} {...days} />}
        </Section>
        <Section
          title={t`Requests, last 30 days`}
          about={
            data === undefined ? undefined : (
              <Plural value={requestsOf(data.data)} one="Together # request." other="Together # requests." />
            )
          }
          action={link}
        >
          {data === undefined && error === null && <Skeleton rows={5} />}
          {data !== undefined && <UsageChart measure="requests" lines={data.data} {...days} />}
        </Section>
      </div>
      <LedgerLine month={days.to.slice(0, '2026-11'.length)} />
      <Breakdown days={days} />
      <Speed />
    </>
  );
}

/** What there is to spend, what was spent, and on what. */
export function OverviewPage() {
  const { t } = useLingui();
  const { account } = useSession();
  // A notice or a cap that comes later would move what a person already reads.
  const balance = useQuery(balanceQuery);
  const settings = useQuery(accountSettingsQuery);
  const areRead = useWasTrue(!(balance.isPending || settings.isPending));
  return (
    <Page title={t`Overview`} about={account.name}>
      {areRead ? (
        <>
          <NoCredit />
          <Figures />
          <Caps />
          <Charts />
        </>
      ) : (
        <Skeleton rows={8} />
      )}
    </Page>
  );
}
