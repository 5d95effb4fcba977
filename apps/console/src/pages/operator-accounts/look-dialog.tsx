import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { startOver } from '../../api/view.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';

interface LookDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function LookDialog({ account, onClose }: LookDialogProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const form = useForm<void, unknown>(
    ['reason'],
    () => post(`/admin/accounts/${account.id}/views`, { reason }),
    () => startOver('/console/'),
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Look at ${account.name || account.email}`}
      about={<Trans>You see what its viewers see, for 15 minutes. You can change nothing meanwhile.</Trans>}
      verb={t`Look`}
      form={form}
    >
      <TextField
        label={t`Reason`}
        hint={t`The owner reads it in the audit log, with each page that you open.`}
        value={reason}
        onValue={setReason}
        problem={form.problemOf('reason')}
      />
    </ChangeDialog>
  );
}
