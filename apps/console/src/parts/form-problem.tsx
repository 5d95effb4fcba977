import { useEffect, useRef } from 'react';
import type { useForm } from './form.js';
import { Problem } from './states.jsx';

interface FormProblemProps {
  readonly form: Pick<ReturnType<typeof useForm>, 'error' | 'other'>;
}

/**
 * What went wrong with a form as a whole. A form may be taller than its dialog: this comes into view, or the field that
 * the server names gets the focus.
 */
export function FormProblem({ form: { error, other } }: FormProblemProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error === null) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <div ref={place} hidden={other === null} className="scroll-my-24">
      {other !== null && <Problem error={other} />}
    </div>
  );
}
