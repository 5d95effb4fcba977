import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { TextField } from './field.jsx';

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

interface TimeZoneFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly problem?: string | undefined;
  readonly disabled?: boolean;
}

/** The calendar of an organisation. The browser proposes names while a person types. */
export function TimeZoneField(props: TimeZoneFieldProps) {
  const { t } = useLingui();
  const id = useId();
  return (
    <>
      <TextField
        {...props}
        label={t`Time zone`}
        hint={t`Days, months, caps and statements begin and end in it.`}
        list={id}
        autoComplete="off"
      />
      <datalist id={id}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
