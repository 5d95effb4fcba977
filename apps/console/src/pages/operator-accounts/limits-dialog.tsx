import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { numberOrText } from '../../parts/number-text.js';

interface LimitsDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function LimitsDialog({ account, onClose }: LimitsDialogProps) {
  const { t } = useLingui();
  const [rpm, setRpm] = useState(account.rpm?.toString() ?? '');
  const [concurrency, setConcurrency] = useState(account.concurrency?.toString() ?? '');
  const form = useForm<void, unknown>(
    ['rpm', 'concurrency'],
    () => patch(`/admin/accounts/${account.id}`, { rpm: numberOrText(rpm), concurrency: numberOrText(concurrency) }),
    onClose,
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Limits of ${account.name || account.email}`}
      about={<Trans>They hold for all of its keys together, at once.</Trans>}
      verb={t`Set limits`}
      form={form}
    >
      <TextField
        label={t`Requests a minute`}
        hint={t`Empty: the standard limit.`}
        inputMode="numeric"
        value={rpm}
        onValue={setRpm}
        problem={form.problemOf('rpm')}
      />
      <TextField
        label={t`Requests at once`}
        hint={t`Empty: the standard limit.`}
        inputMode="numeric"
        value={concurrency}
        onValue={setConcurrency}
        problem={form.problemOf('concurrency')}
      />
    </ChangeDialog>
  );
}
