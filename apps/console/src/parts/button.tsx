import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { classes } from './classes.js';

/** A page has at most one `filled` button: what the page is for. */
export type ButtonKind = 'filled' | 'plain' | 'quiet' | 'danger';

const KINDS: Readonly<Record<ButtonKind, string>> = {
  // The border shows where forced colours take the ink away.
  filled: 'border border-transparent bg-ink text-on-ink hover:opacity-90',
  plain: 'border border-line-strong bg-surface hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-text',
  danger: 'border border-line-strong bg-surface text-failed hover:bg-failed-wash',
};

export const buttonClasses = (kind: ButtonKind = 'plain', extra?: string): string =>
  classes(
    'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-control px-3 font-medium transition',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    KINDS[kind],
    extra,
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  /** True: a click does nothing. The button keeps the focus, which a disabled one would lose. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** Also of a form that the button sends. */
const doNothing = (event: MouseEvent): void => event.preventDefault();

export function Button({ kind = 'plain', isBusy = false, className, type, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? doNothing : onClick}
      className={buttonClasses(kind, className)}
    />
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What the button does: its accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition hover:bg-hover hover:text-text',
        'disabled:opacity-50 [&_svg]:size-4',
        className,
      )}
    >
      {children}
    </button>
  );
}
