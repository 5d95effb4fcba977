import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { useId } from 'react';

interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <BaseSwitch.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        className="mt-0.5 flex h-4 w-7 shrink-0 rounded-round bg-control p-0.5 transition forced-color-adjust-none data-checked:bg-accent"
      >
        <BaseSwitch.Thumb className="size-3 rounded-round bg-surface transition-transform data-checked:translate-x-3" />
      </BaseSwitch.Root>
      <label htmlFor={id}>
        <span className="font-medium">{label}</span>
        {hint !== undefined && <span className="block text-muted text-small">{hint}</span>}
      </label>
    </div>
  );
}
