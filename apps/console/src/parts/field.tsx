import { Field as BaseField } from '@base-ui/react/field';
import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react';
import { classes } from './classes.js';

const CONTROL = classes(
  'w-full scroll-my-24 rounded-control border border-control bg-surface px-2.5 text-text placeholder:text-muted',
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-failed',
);

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value, in one sentence. */
  readonly problem?: string | undefined;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A label, a control, and below it a hint or what is wrong. */
export function Field({ label, hint, problem, children, className }: FieldProps) {
  return (
    <BaseField.Root invalid={problem !== undefined} className={classes('flex flex-col gap-1', className)}>
      <BaseField.Label className="font-medium">{label}</BaseField.Label>
      {children}
      {hint !== undefined && problem === undefined && (
        <BaseField.Description className="text-muted text-small">{hint}</BaseField.Description>
      )}
      {problem !== undefined && (
        <BaseField.Error match className="text-failed text-small">
          {problem}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fieldClass?: string;
}

/** What no blank belongs to: one that is pasted at an end would make it wrong. */
const HAS_NO_BLANKS = ['email', 'url'];

export function TextField({ label, hint, problem, value, onValue, fieldClass, className, ...rest }: TextFieldProps) {
  const mayTrim = HAS_NO_BLANKS.includes(rest.type ?? 'text');
  return (
    <Field label={label} hint={hint} problem={problem} className={fieldClass}>
      <BaseField.Control
        {...rest}
        value={value}
        onValueChange={(text: string) => onValue(mayTrim ? text.trim() : text)}
        className={classes(CONTROL, 'h-8', className)}
      />
    </Field>
  );
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function TextArea({ label, hint, problem, value, onValue, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <BaseField.Control
        value={value}
        onValueChange={(text: string) => onValue(text)}
        render={<textarea {...rest} className={classes(CONTROL, 'min-h-20 py-1.5', className)} />}
      />
    </Field>
  );
}
