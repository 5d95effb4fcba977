import type { ReactNode } from 'react';
import { Dialog } from './dialog.jsx';
import { submitting, type useForm } from './form.js';
import { FormActions } from './form-actions.jsx';
import { FormProblem } from './form-problem.jsx';

interface ChangeDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about?: ReactNode;
  /** What the button says: the change itself, such as `Pause`. */
  readonly verb: string;
  readonly isDanger?: boolean;
  readonly form: Pick<ReturnType<typeof useForm<void, unknown>>, 'send' | 'isBusy' | 'error' | 'other'>;
  readonly children: ReactNode;
}

/** Asks before a change: its fields, what it does, and a button that names it. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { isOpen, onClose, title, about, verb, isDanger = false, form, children } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} {...(about !== undefined && { about })}>
      <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
        {children}
        <FormProblem form={form} />
        <FormActions onClose={onClose} isBusy={form.isBusy} isDanger={isDanger}>
          {verb}
        </FormActions>
      </form>
    </Dialog>
  );
}
