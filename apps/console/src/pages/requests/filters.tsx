import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import { OUTCOMES } from '../../api/requests.js';
import { useMay } from '../../api/session.js';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { useOutcomeWords } from '../../parts/outcome.jsx';

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
  const { rows: keys = [] } = useRows<ApiKey>('/account/keys');
  return (
    <ChoiceFilter
      {...props}
      label={t`Key`}
      any={t`Any key`}
      choices={keys.map(({ id, name }) => ({ value: id, label: name ?? id }))}
    />
  );
}

/** The filters above the list. What is chosen stands in the address, so that it can be sent to a colleague. */
export function RequestFilters({ filter, onChange, end }: FilterProps) {
  const { t } = useLingui();
  const words = useOutcomeWords();
  const mayReadKeys = useMay('developer');
  const of = (name: string) => ({
    value: filter[name],
    onValue: (value: string | undefined) => onChange({ ...filter, [name]: value }),
  });
  return (
    <Filters
      isFiltered={Object.values(filter).some((value) => value !== undefined)}
      onClear={() => onChange({})}
      end={end}
    >
      <ChoiceFilter
        label={t`Outcome`}
        any={t`Any outcome`}
        choices={OUTCOMES.map((value) => ({ value, label: words[value] }))}
        {...of('outcome')}
      />
      {mayReadKeys && <KeyFilter {...of('key_id')} />}
      <TextFilter label={t`Model`} {...of('model')} />
      <TextFilter label={t`Endpoint`} {...of('endpoint')} />
      <TextFilter label={t`Status: 429, 4xx`} {...of('status')} />
      <TextFilter label={t`Part of the request id`} {...of('request_id')} />
      <TextFilter label={t`Idempotency key`} {...of('idempotency_key')} />
      <TextFilter label={t`Cost from, USD`} {...of('min_cost_usd')} />
    </Filters>
  );
}
