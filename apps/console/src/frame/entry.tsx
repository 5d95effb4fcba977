import type { FormEvent, ReactNode } from 'react';
import { Mark } from './mark.jsx';
import { Preferences } from './preferences.jsx';

interface EntryProps {
  readonly title: string;
  /** Absent: there is nothing to send. */
  readonly onSubmit?: () => void;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** A page for people without a session: one form in the middle. */
export function Entry({ title, onSubmit, children, foot }: EntryProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[16vh]">
      <title>{`${title} · Gateway`}</title>
      <div className="fixed top-3 right-3">
        <Preferences />
      </div>
      <form onSubmit={submit} noValidate className="flex w-full max-w-80 flex-col gap-4">
        <div className="flex flex-col gap-3">
          <Mark />
          <h1 className="font-semibold text-title tracking-tight">{title}</h1>
        </div>
        {children}
      </form>
      {foot !== undefined && <p className="mt-6 w-full max-w-80 text-muted">{foot}</p>}
    </main>
  );
}
