import { type ReactNode, useState } from 'react';
import { Button } from './button.jsx';
import { ConfirmDialog } from './confirm-dialog.jsx';
import { useExclusiveMutation } from './use-exclusive-mutation.js';

interface ConfirmButtonProps {
  readonly label: string;
  readonly className?: string;
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** What the button of the dialog does, such as `Revoke`. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A button that asks before something that cannot be undone. A refusal shows in the dialog. */
export function ConfirmButton({ label, className, run, onDone, ...dialog }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const mutation = useExclusiveMutation({ mutationFn: run });
  const close = () => {
    mutation.reset();
    setIsAsking(false);
  };
  const onSuccess = () => {
    close();
    onDone?.();
  };
  return (
    <>
      <Button kind="danger" {...(className !== undefined && { className })} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        {...dialog}
        isOpen={isAsking}
        onClose={close}
        isBusy={mutation.isPending}
        error={mutation.error}
        onConfirm={() => mutation.mutate(undefined, { onSuccess })}
      />
    </>
  );
}
