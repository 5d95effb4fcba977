import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { patch } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { useForm } from '../../parts/form.js';
import { useToast } from '../../parts/toasts.jsx';

interface SuspendDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function SuspendDialog({ account, onClose }: SuspendDialogProps) {
  const { t } = useLingui();
  const toast = useToast();
  const name = account.name || account.email;
  // The account is followed, and would turn the question around while its answer is on the way.
  const [isSuspended] = useState(account.suspended_at !== null);
  const form = useForm<void, unknown>(
    [],
    () => patch(`/admin/accounts/${account.id}`, { suspended: !isSuspended }),
    () => {
      toast({ title: isSuspended ? t`The account works again` : t`The account is suspended`, description: name });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={isSuspended ? t`Resume ${name}?` : t`Suspend ${name}?`}
      verb={isSuspended ? t`Resume` : t`Suspend`}
      isDanger={!isSuspended}
      form={form}
    >
      <p>
        {isSuspended ? (
          <Trans>Its keys work again within five seconds.</Trans>
        ) : (
          <Trans>Its keys are refused within five seconds. What runs ends normally and is charged.</Trans>
        )}
      </p>
    </ChangeDialog>
  );
}
