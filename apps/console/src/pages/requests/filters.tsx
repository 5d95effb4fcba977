import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import { OUTCOMES } from '../../api/requests.js';
import { Button } from '../../parts/button.jsx';
import { useOutcomeWords } from '../../parts/outcome.jsx';
import { Select } from '../../parts/select.jsx';

type Filter = Readonly<Record<string, string | undefined>>;

interface FilterProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

const SETTLE_MS = 300;

/** Text that takes effect when the person stops typing. */
function TextFilter({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onValue(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onValue]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="h-8 w-44 rounded-control border border-line-strong bg-surface px-2.5 placeholder:text-muted"
    />
  );
}

const ANY = 'any';

/** The filters above the list. What is chosen stands in the address, so that it can be sent to a colleague. */
export function RequestFilters({ filter, onChange }: FilterProps) {
  const { t } = useLingui();
  const words = useOutcomeWords();
  const { rows: keys = [] } = useRows<ApiKey>('/account/keys');
  const set = (name: string) => (value: string) =>
    onChange({ ...filter, [name]: value === '' || value === ANY ? undefined : value });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <search aria-label={t`Filters`} className="flex flex-wrap items-center gap-2">
      <Select
        label={t`Outcome`}
        isLabelHidden
        value={filter.outcome ?? ANY}
        onValue={set('outcome')}
        choices={[{ value: ANY, label: t`Any outcome` }, ...OUTCOMES.map((value) => ({ value, label: words[value] }))]}
      />
      <Select
        label={t`Key`}
        isLabelHidden
        value={filter.key_id ?? ANY}
        onValue={set('key_id')}
        choices={[{ value: ANY, label: t`Any key` }, ...keys.map(({ id, name }) => ({ value: id, label: name ?? id }))]}
      />
      <TextFilter label={t`Model`} value={filter.model ?? ''} onValue={set('model')} />
      <TextFilter label={t`Request id begins with`} value={filter.request_id ?? ''} onValue={set('request_id')} />
      <TextFilter label={t`Cost at least, USD`} value={filter.min_cost_usd ?? ''} onValue={set('min_cost_usd')} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => onChange({})}>
          <X aria-hidden />
          <Trans>Clear</Trans>
        </Button>
      )}
    </search>
  );
}
