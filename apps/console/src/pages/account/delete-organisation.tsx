import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { remove, withQuery } from '../../api/call.js';
import { useSession } from '../../api/session.js';
import { ConfirmButton } from '../../parts/confirm-button.jsx';
import { TextField } from '../../parts/field.jsx';
import { Section } from '../../parts/page.jsx';

/** Ends the organisation for good. The owner types its name, so that no other one is deleted by mistake. */
export function DeleteOrganisation({ name }: { readonly name: string }) {
  const { t } = useLingui();
  const { account } = useSession();
  const [typed, setTyped] = useState('');
  return (
    <Section
      title={t`Delete the organisation`}
      about={<Trans>Receipts and the ledger stay. The operator pays the balance back.</Trans>}
    >
      <ConfirmButton
        className="self-start"
        label={t`Delete…`}
        title={t`Delete ${name}?`}
        action={t`Delete for good`}
        run={() => remove(withQuery(`/account/organisations/${encodeURIComponent(account.id)}`, { name: typed }))}
      >
        <p>
          <Trans>
            Its members leave it, its keys end, and running tasks and batches are cancelled. Files, results and kept
            prompts are removed. This cannot be undone.
          </Trans>
        </p>
        <TextField label={t`Type ${name} to confirm`} value={typed} onValue={setTyped} />
      </ConfirmButton>
    </Section>
  );
}
