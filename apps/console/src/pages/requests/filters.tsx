import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import type { Member } from '../../api/people.js';
import { NO_MEMBER, OUTCOMES } from '../../api/requests.js';
import { useMay } from '../../api/session.js';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { useOutcomeWords } from '../../parts/outcome.jsx';
import { TimeFilter } from '../../parts/time-filter.jsx';
import { MoreFilters } from './more-filters.jsx';

type Filter = Readonly<Record<string, string | undefined>>;

interface FilterProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly end: ReactNode;
}

interface KeyFilterProps {
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
}

function KeyFilter(props: KeyFilterProps) {
  const { t } = useLingui();
  const { rows: keys = [] } = useRows<ApiKey>('/account/keys', { limit: undefined });
  return (
    <ChoiceFilter
      {...props}
      label={t`Key`}
      any={t`Any key`}
      choices={keys.map(({ id, name }) => ({ value: id, label: name ?? id }))}
    />
  );
}

function MemberFilter(props: KeyFilterProps) {
  const { t } = useLingui();
  const { rows: members = [] } = useRows<Member>('/account/members', { limit: undefined });
  return (
    <ChoiceFilter
      {...props}
      label={t`Member`}
      any={t`Any member`}
      choices={[
        { value: NO_MEMBER, label: t`the organisation` },
        ...members.map(({ id, name, email }) => ({ value: id, label: name || email })),
      ]}
    />
  );
}

/** How far back, without a date. */
const SINCE = ['hour', 'day', 'week', 'month'] as const;

function SinceFilter({ value, onValue }: KeyFilterProps) {
  const { t } = useLingui();
  const words = { hour: t`Last hour`, day: t`Last 24 hours`, week: t`Last 7 days`, month: t`Last 30 days` };
  return (
    <ChoiceFilter
      label={t`Time`}
      any={t`Any time`}
      value={value}
      onValue={onValue}
      choices={SINCE.map((since) => ({ value: since, label: words[since] }))}
    />
  );
}

const RARE = ['member_id', 'endpoint', 'status', 'idempotency_key', 'min_cost_usd', 'max_cost_usd', 'from', 'to'];

type FilterOf = (name: string) => KeyFilterProps;

function RareFilters({ of }: { readonly of: FilterOf }) {
  const { t } = useLingui();
  return (
    <>
      <MemberFilter {...of('member_id')} />
      <TextFilter label={t`Endpoint`} {...of('endpoint')} />
      <TextFilter label={t`Status: 429, 4xx`} {...of('status')} />
      <TextFilter label={t`Idempotency key`} {...of('idempotency_key')} />
      <TextFilter label={t`Cost from, USD`} {...of('min_cost_usd')} />
      <TextFilter label={t`Cost to, USD`} {...of('max_cost_usd')} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <TimeFilter label={t`From`} {...of('from')} />
        <TimeFilter label={t`To`} {...of('to')} />
      </div>
    </>
  );
}

/** The filters above the list. What is chosen stands in the address, so that it can be sent to a colleague. */
export function RequestFilters({ filter, onChange, end }: FilterProps) {
  const { t } = useLingui();
  const words = useOutcomeWords();
  const mayReadKeys = useMay('developer');
  const of: FilterOf = (name) => ({
    value: filter[name],
    onValue: (value: string | undefined) => onChange({ ...filter, [name]: value }),
  });
  return (
    <Filters
      isFiltered={Object.values(filter).some((value) => value !== undefined)}
      onClear={() => onChange({})}
      end={end}
    >
      <SinceFilter {...of('since')} />
      <ChoiceFilter
        label={t`Outcome`}
        any={t`Any outcome`}
        choices={OUTCOMES.map((value) => ({ value, label: words[value] }))}
        {...of('outcome')}
      />
      {mayReadKeys && <KeyFilter {...of('key_id')} />}
      <TextFilter label={t`Model`} {...of('model')} />
      <TextFilter label={t`Request id`} {...of('request_id')} />
      <MoreFilters isUsed={RARE.some((name) => filter[name] !== undefined)}>
        <RareFilters of={of} />
      </MoreFilters>
    </Filters>
  );
}
