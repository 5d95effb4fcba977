import { useLingui } from '@lingui/react/macro';
import { hasWholeYear, LAST_DAY } from './days.js';
import { TextField } from './field.jsx';
import { useSettledText } from './use-settled-text.js';

interface DayFieldsProps {
  /** Days such as `2026-11-22`, both included. Undefined: open at that end. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (change: { readonly from?: string; readonly to?: string }) => void;
}

/** The days of a report or a list. */
export function DayFields({ from, to, onChange }: DayFieldsProps) {
  const { t } = useLingui();
  const [first, setFirst] = useSettledText({
    value: from ?? '',
    onValue: (day = '') => onChange({ from: day }),
    isWhole: hasWholeYear,
  });
  const [last, setLast] = useSettledText({
    value: to ?? '',
    onValue: (day = '') => onChange({ to: day }),
    isWhole: hasWholeYear,
  });
  return (
    <>
      <TextField label={t`From`} type="date" max={to ?? LAST_DAY} value={first} onValue={setFirst} fieldClass="w-36" />
      <TextField label={t`To`} type="date" min={from} max={LAST_DAY} value={last} onValue={setLast} fieldClass="w-36" />
    </>
  );
}
