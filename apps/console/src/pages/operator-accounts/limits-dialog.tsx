import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { changedFields } from '../../parts/changed-fields.js';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { numberOrText } from '../../parts/number-text.js';
import { useToast } from '../../parts/toasts.jsx';

interface Limits {
  readonly rpm: number | string | null;
  readonly concurrency: number | string | null;
}

interface LimitsDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function LimitsDialog({ account, onClose }: LimitsDialogProps) {
  const { t } = useLingui();
  const toast = useToast();
  const name = account.name || account.email;
  // Another operator may change the account meanwhile: only what this one changes is sent.
  const [opened] = useState({ rpm: account.rpm, concurrency: account.concurrency });
  const [rpm, setRpm] = useState(account.rpm?.toString() ?? '');
  const [concurrency, setConcurrency] = useState(account.concurrency?.toString() ?? '');
  const limits = { rpm: numberOrText(rpm), concurrency: numberOrText(concurrency) };
  const form = useForm<void, unknown>(
    ['rpm', 'concurrency'],
    () => patch(`/admin/accounts/${account.id}`, changedFields<Limits>(opened, limits)),
    () => {
      toast({ title: t`Saved`, description: t`The new limits hold for ${name}.` });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Limits of ${name}`}
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
