import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.jsx';
import { Dialog, DialogActions } from './dialog.jsx';
import { Problem } from './states.jsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What happens then, and what it costs. */
  readonly children: ReactNode;
  /** What the button does, such as `Delete the file`. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { isOpen, onClose, title, children, action, isBusy, error, onConfirm } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <div className="flex flex-col gap-3">
        {children}
        {error !== null && <Problem error={error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Leave it</Trans>
        </Button>
        <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
