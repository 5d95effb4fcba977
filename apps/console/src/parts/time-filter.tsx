import { isoTime, localTime } from '../format/time.js';
import { hasWholeYear, LAST_DAY } from './days.js';
import { useSettledText } from './use-settled-text.js';

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
}

/** A minute of the person's own zone. A text that is no time is none. */
export function TimeFilter({ label, value, onValue }: TimeFieldProps) {
  const [text, setText] = useSettledText({
    value: value === undefined || Number.isNaN(Date.parse(value)) ? '' : localTime(value),
    onValue: (local) => onValue(local === undefined ? undefined : isoTime(local)),
    isWhole: hasWholeYear,
  });
  return (
    <label className="flex items-center gap-2">
      <span className="text-muted">{label}</span>
      <input
        type="datetime-local"
        max={`${LAST_DAY}T23:59`}
        className="h-8 w-52 rounded-control border border-control bg-surface px-2.5"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
