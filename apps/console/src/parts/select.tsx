import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classes } from './classes.js';
import { Field } from './field.jsx';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  /** True: the label is read, not shown, because the place says it. */
  readonly isLabelHidden?: boolean;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onValue: (value: Value) => void;
  readonly className?: string;
}

const Trigger = ({ label, className }: { readonly label: string | undefined; readonly className?: string }) => (
  <BaseSelect.Trigger
    aria-label={label}
    className={classes(
      'flex h-8 min-w-28 items-center justify-between gap-2 rounded-control border border-control bg-surface px-2.5 text-left hover:bg-hover',
      className,
    )}
  >
    <BaseSelect.Value className="truncate" />
    <BaseSelect.Icon>
      <ChevronsUpDown aria-hidden className="size-3.5 text-muted" />
    </BaseSelect.Icon>
  </BaseSelect.Trigger>
);

const Options = <Value extends string>({ choices }: { readonly choices: readonly Choice<Value>[] }) => (
  <BaseSelect.Portal>
    <BaseSelect.Positioner sideOffset={4} className="z-50" alignItemWithTrigger={false}>
      <BaseSelect.Popup className="max-h-80 min-w-(--anchor-width) overflow-y-auto rounded-panel bg-surface p-1 shadow-float">
        {choices.map(({ value, label }) => (
          <BaseSelect.Item
            key={value}
            value={value}
            className="flex h-7 items-center gap-2 rounded-control px-2 data-highlighted:bg-hover"
          >
            <span className="size-3.5">
              <BaseSelect.ItemIndicator>
                <Check aria-hidden className="size-3.5" />
              </BaseSelect.ItemIndicator>
            </span>
            <BaseSelect.ItemText>{label}</BaseSelect.ItemText>
          </BaseSelect.Item>
        ))}
      </BaseSelect.Popup>
    </BaseSelect.Positioner>
  </BaseSelect.Portal>
);

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, isLabelHidden = false, value, choices, onValue, className } = props;
  const control = (
    <BaseSelect.Root items={[...choices]} value={value} onValueChange={(next) => onValue(next as Value)}>
      <Trigger label={isLabelHidden ? label : undefined} {...(className !== undefined && { className })} />
      <Options choices={choices} />
    </BaseSelect.Root>
  );
  return isLabelHidden ? control : <Field label={label}>{control}</Field>;
}
