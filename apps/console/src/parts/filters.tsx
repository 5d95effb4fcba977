import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.jsx';
import { type Choice, Select } from './select.jsx';
import { useSettledText } from './use-settled-text.js';

interface FilterProps {
  readonly label: string;
  /** Undefined: everything. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
}

/** Text that takes effect when the person stops typing. */
export function TextFilter({ label, value = '', onValue }: FilterProps) {
  const [text, setText] = useSettledText({ value, onValue });
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="h-8 min-w-0 grow basis-36 rounded-control border border-control bg-surface px-2.5 placeholder:text-muted md:w-40 md:grow-0 md:basis-auto"
    />
  );
}

const ANY = 'any';

interface ChoiceFilterProps extends FilterProps {
  /** The name of no choice, such as `Any status`. */
  readonly any: string;
  readonly choices: readonly Choice<string>[];
}

export const ChoiceFilter = ({ label, any, value, choices, onValue }: ChoiceFilterProps) => (
  <Select
    label={label}
    isLabelHidden
    value={value ?? ANY}
    onValue={(next) => onValue(next === ANY ? undefined : next)}
    choices={[{ value: ANY, label: any }, ...choices]}
  />
);

interface FiltersProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** What stands at the right end, such as the export. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** The filters above a list. */
export function Filters({ isFiltered, onClear, end, children }: FiltersProps) {
  const { t } = useLingui();
  return (
    <search aria-label={t`Filters`} className="flex flex-wrap items-center gap-2">
      {children}
      {isFiltered && (
        <Button kind="quiet" onClick={onClear}>
          <X aria-hidden />
          <Trans>Clear</Trans>
        </Button>
      )}
      {end !== undefined && <div className="ml-auto">{end}</div>}
    </search>
  );
}
