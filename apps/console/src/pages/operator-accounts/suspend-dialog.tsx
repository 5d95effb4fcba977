import { Trans, useLingui } from '@lingui/react/macro';
import { patch } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { useForm } from '../../parts/form.js';

interface SuspendDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function SuspendDialog({ account, onClose }: SuspendDialogProps) {
  const { t } = useLingui();
  const isSuspended = account.suspended_at !== null;
  const form = useForm<void, unknown>(
    [],
    () => patch(`/admin/accounts/${account.id}`, { suspended: !isSuspended }),
    onClose,
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={isSuspended ? t`Resume ${account.name || account.email}?` : t`Suspend ${account.name || account.email}?`}
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
