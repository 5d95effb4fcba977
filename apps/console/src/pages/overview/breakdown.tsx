import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type UsageDimension, type UsageLine, usageQuery } from '../../api/money.js';
import { useRows } from '../../api/pages.js';
import type { Member } from '../../api/people.js';
import { NO_MEMBER, type Outcome } from '../../api/requests.js';
import { useSession } from '../../api/session.js';
import { count } from '../../format/count.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Amount } from '../../parts/figures.jsx';
import { useOutcomeWords } from '../../parts/outcome.jsx';
import { Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { type Days, startOfDay } from './days.js';
import { NothingUsed } from './nothing-used.jsx';

const DIMENSIONS: readonly UsageDimension[] = ['model', 'key', 'member', 'endpoint', 'outcome'];
type Second = UsageDimension | 'none';

const isDimension = (name: string | undefined): name is UsageDimension => DIMENSIONS.some((one) => one === name);

function useDimensionWords(): Readonly<Record<UsageDimension, string>> {
  const { t } = useLingui();
  return { model: t`Model`, key: t`Key`, member: t`Member`, endpoint: t`Endpoint`, outcome: t`Outcome` };
}

/** What a row has in a group: keys and members by their names, outcomes in words. */
function useGroupWords(): (row: UsageLine, group: UsageDimension) => string {
  const { t } = useLingui();
  const { rows: members } = useRows<Member>('/account/members', { limit: undefined });
  const outcomes = useOutcomeWords();
  return useMemo(() => {
    const names = new Map((members ?? []).map(({ id, name, email }) => [id, name || email]));
    const wordsOf: Readonly<Record<UsageDimension, (row: UsageLine) => string | null | undefined>> = {
      model: ({ model }) => model,
      key: ({ key, key_name: name }) => name ?? key,
      member: ({ member }) => (member === null ? t`the organisation` : (names.get(member ?? '') ?? member)),
      endpoint: ({ endpoint }) => endpoint,
      outcome: ({ outcome }) => outcomes[outcome as Outcome],
    };
    return (row, group) => wordsOf[group](row) ?? '—';
  }, [t, members, outcomes]);
}

function useColumns(groups: readonly UsageDimension[]): readonly Column<UsageLine>[] {
  const { t, i18n } = useLingui();
  const words = useDimensionWords();
  const wordsOf = useGroupWords();
  const [first, second] = groups;
  return useMemo(() => {
    const group = (id: UsageDimension): Column<UsageLine> => ({
      id,
      title: words[id],
      width: 'minmax(8rem,1fr)',
      narrowWidth: '1fr',
      cell: (row) => wordsOf(row, id),
    });
    return [
      ...(first === undefined ? [] : [group(first)]),
      ...(second === undefined ? [] : [group(second)]),
      {
        id: 'requests',
        title: t`Requests`,
        width: '8rem',
        isNumber: true,
        isExtra: second !== undefined,
        narrowWidth: '5.5rem',
        cell: (row) => count(row.requests, i18n.locale),
      },
      {
        id: 'cost',
        title: t`Cost`,
        width: '9rem',
        narrowWidth: '6.5rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.cost_usd} />,
      },
    ];
  }, [t, i18n.locale, words, wordsOf, first, second]);
}

const byCost = (one: UsageLine, other: UsageLine): number => Number(other.cost_usd) - Number(one.cost_usd);

interface RowsProps {
  readonly groups: readonly UsageDimension[];
  readonly days: Days;
}

function Rows({ groups, days }: RowsProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { account } = useSession();
  const columns = useColumns(groups);
  const { data, error, refetch } = useQuery(usageQuery(groups.join(','), days.from, days.to));
  const rows = useMemo(() => [...(data?.data ?? [])].sort(byCost), [data]);
  const words = useDimensionWords();
  const names = groups.map((group) => words[group]).join(', ');
  if (data === undefined)
    return error === null ? <Skeleton rows={3} /> : <Problem error={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return <NothingUsed />;
  const from = startOfDay(days.from, account.time_zone);
  const openRequests = ({ model, key, endpoint, outcome, member }: UsageLine) =>
    void navigate({
      to: '/requests',
      search: { model, key_id: key, endpoint, outcome, member_id: member === null ? NO_MEMBER : member, from } as never,
    });
  return (
    <DataTable
      label={t`Cost by ${names}`}
      columns={columns}
      rows={rows}
      rowId={(row) => groups.map((group) => row[group]).join(' ')}
      onOpen={openRequests}
    />
  );
}

/** Cost by one or two dimensions, the dearest first. A row opens its requests. */
export function Breakdown({ days }: { readonly days: Days }) {
  const { t } = useLingui();
  const words = useDimensionWords();
  const search = useSearch({ strict: false }) as { by?: string; and?: string };
  const navigate = useNavigate();
  const by = isDimension(search.by) ? search.by : 'model';
  const and: Second = isDimension(search.and) && search.and !== by ? search.and : 'none';
  const set = (change: { by?: string; and?: string }) =>
    void navigate({ to: '/', search: { ...search, ...change } as never, replace: true, resetScroll: false });
  const choices = DIMENSIONS.map((value) => ({ value, label: words[value] }));
  return (
    <Section
      title={t`Where it went, last 30 days`}
      about={<Trans>A row opens its requests.</Trans>}
      action={
        <div className="flex gap-2">
          <Select
            label={t({ message: 'By', context: 'of a sum' })}
            isLabelHidden
            value={by}
            onValue={(value) => set({ by: value })}
            choices={choices}
          />
          <Select
            label={t`And by`}
            isLabelHidden
            value={and}
            onValue={(value) => set({ and: value })}
            choices={[
              { value: 'none' as const, label: t`nothing else` },
              ...choices.filter(({ value }) => value !== by),
            ]}
          />
        </div>
      }
    >
      <Rows groups={and === 'none' ? [by] : [by, and]} days={days} />
    </Section>
  );
}
