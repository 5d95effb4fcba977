import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { get } from '../../api/call.js';
import type { OperatorReceipt } from '../../api/operators.js';
import type { PendingReceipt } from '../../api/requests.js';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Section } from '../../parts/page.jsx';
import { OperatorReceiptView } from './operator-receipt.jsx';

/** Finds the receipt that a customer asks about, with what customers do not see of it. */
export function ReceiptSearch({ accountId }: { readonly accountId: string }) {
  const { t } = useLingui();
  const [id, setId] = useState('');
  const [found, setFound] = useState<OperatorReceipt | PendingReceipt>();
  const form = useForm<string, OperatorReceipt | PendingReceipt>(
    [],
    (text) => get(`/admin/accounts/${accountId}/requests/${encodeURIComponent(text)}`),
    setFound,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    form.send(id.trim());
  };
  return (
    <Section title={t`One of its receipts`}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField label={t`Id of the request or of its task`} value={id} onValue={setId} fieldClass="grow" />
        <Button type="submit" isBusy={form.isBusy} disabled={id.trim() === ''}>
          <Trans>Find</Trans>
        </Button>
      </form>
      <FormProblem form={form} />
      {found?.status === 'settled' && <OperatorReceiptView receipt={found} />}
      {found !== undefined && found.status !== 'settled' && (
        <p>{t`The request is still running. Its receipt follows when it ends.`}</p>
      )}
    </Section>
  );
}
