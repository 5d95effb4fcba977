import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { NewKey } from '../../api/keys.js';
import { Button } from '../../parts/button.jsx';
import { Dialog, DialogActions } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { SecretText } from '../../parts/secret-text.jsx';

/** A new key, shown once. */
const MadeKey = ({ made, onDone }: { readonly made: NewKey; readonly onDone: () => void }) => {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Trans>Copy the key now. It is not shown again.</Trans>
      </p>
      <SecretText text={made.key} copyLabel={t`Copy the key`} />
      {made.old_expires_at != null && (
        <p className="text-muted">
          <Trans>
            The former key works until <Time at={made.old_expires_at} form="exact" />.
          </Trans>
        </p>
      )}
      <DialogActions>
        <Button kind="filled" onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </div>
  );
};

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Of the form. */
  readonly title: string;
  readonly form: (onMade: (key: NewKey) => void, onClose: () => void) => ReactNode;
}

/** A form that makes a key, and then the key. */
export function MadeKeyDialog({ isOpen, onClose, title, form }: DialogProps) {
  const { t } = useLingui();
  const [made, setMade] = useState<NewKey | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    // A key that was made while the form was being closed shows all the same: the person could not read it later.
    <Dialog
      isOpen={isOpen || made !== null}
      onClose={close}
      title={made === null ? title : t`Your new key`}
      isShownOnce={made !== null}
    >
      {made === null ? form(setMade, close) : <MadeKey made={made} onDone={close} />}
    </Dialog>
  );
}
