import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.jsx';
import { DialogActions } from './dialog.jsx';

interface FormActionsProps {
  readonly onClose: () => void;
  readonly isBusy: boolean;
  readonly isDanger?: boolean;
  /** Where no form is sent. */
  readonly onSend?: () => void;
  /** What the button does. */
  readonly children: ReactNode;
}

/** The end of a dialog with a form: back out of it, or send it. */
export const FormActions = ({ onClose, isBusy, isDanger = false, onSend, children }: FormActionsProps) => (
  <DialogActions>
    <Button onClick={onClose}>
      <Trans>Cancel</Trans>
    </Button>
    <Button
      kind={isDanger ? 'danger' : 'filled'}
      isBusy={isBusy}
      {...(onSend === undefined ? { type: 'submit' as const } : { onClick: onSend })}
    >
      {children}
    </Button>
  </DialogActions>
);
