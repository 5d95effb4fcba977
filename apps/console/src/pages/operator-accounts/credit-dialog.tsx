import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { AdminAccount } from '../../api/operators.js';
import { randomId } from '../../api/random-id.js';
import { ChangeDialog } from '../../parts/change-dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { usdOrText } from '../../parts/number-text.js';
import { Select } from '../../parts/select.jsx';
import { useToast } from '../../parts/toasts.jsx';

const KINDS = ['top_up', 'adjustment'] as const;
const FIELDS = ['amount_usd', 'reason', 'reference'];

/** The same reference twice is one credit: a second press, or a second try after a lost answer, credits nothing more. */
const newReference = () => `console-${randomId()}`;

interface CreditDialogProps {
  readonly account: AdminAccount;
  readonly onClose: () => void;
}

export function CreditDialog({ account, onClose }: CreditDialogProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('top_up');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [reference, setReference] = useState(newReference);
  const words = { top_up: t`Top-up`, adjustment: t`Adjustment` };
  const form = useForm<void, unknown>(
    FIELDS,
    () => post(`/admin/accounts/${account.id}/credits`, { amount_usd: usdOrText(amount), reason, reference, kind }),
    () => {
      toast({ title: t`Credited`, description: `${usdOrText(amount)} USD` });
      onClose();
    },
  );
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={t`Credit ${account.name || account.email}`}
      about={<Trans>It stands in the ledger for good. A second entry takes it back.</Trans>}
      verb={t`Credit it`}
      form={form}
    >
      <Select
        label={t`Kind`}
        value={kind}
        onValue={setKind}
        choices={KINDS.map((value) => ({ value, label: words[value] }))}
      />
      <TextField
        label={t`Amount, USD`}
        inputMode="decimal"
        className="figures"
        hint={kind === 'adjustment' ? t`Below zero takes money back.` : t`Up to nine decimals.`}
        value={amount}
        onValue={setAmount}
        problem={form.problemOf('amount_usd')}
      />
      <TextField
        label={t`Reason`}
        hint={t`The customer reads it.`}
        value={reason}
        onValue={setReason}
        problem={form.problemOf('reason')}
      />
      <TextField
        label={t`Reference`}
        hint={t`Such as the number of an invoice. The same reference credits once.`}
        value={reference}
        onValue={setReference}
        problem={form.problemOf('reference')}
      />
    </ChangeDialog>
  );
}
