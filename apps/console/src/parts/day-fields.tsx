import { useLingui } from '@lingui/react/macro';
import { TextField } from './field.jsx';

interface DayFieldsProps {
  /** Days such as `2026-11-22`, both included. Undefined: open at that end. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (change: { readonly from?: string; readonly to?: string }) => void;
}

/** The days of a report or a list. */
export function DayFields({ from, to, onChange }: DayFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        label={t`From`}
        type="date"
        max={to}
        value={from ?? ''}
        onValue={(day) => onChange({ from: day })}
        fieldClass="w-36"
      />
      <TextField
        label={t`To`}
        type="date"
        min={from}
        value={to ?? ''}
        onValue={(day) => onChange({ to: day })}
        fieldClass="w-36"
      />
    </>
  );
}
