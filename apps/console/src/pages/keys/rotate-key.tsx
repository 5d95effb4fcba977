import { Trans, useLingui } from '@lingui/react/macro';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { ApiKey, NewKey } from '../../api/keys.js';
import { Button } from '../../parts/button.jsx';
import { useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Select } from '../../parts/select.jsx';
import { MadeKeyDialog } from './made-key.jsx';

const HOUR_S = 3_600;

/** How long the former key goes on, in seconds. */
const GRACES = ['0', `${HOUR_S}`, `${24 * HOUR_S}`, `${7 * 24 * HOUR_S}`] as const;
type Grace = (typeof GRACES)[number];

interface RotateFormProps {
  readonly apiKey: ApiKey;
  readonly onMade: (made: NewKey) => void;
  readonly onClose: () => void;
}

function RotateForm({ apiKey, onMade, onClose }: RotateFormProps) {
  const { t } = useLingui();
  const [grace, setGrace] = useState<Grace>(GRACES[1]);
  const words = [t`ends at once`, t`works for another hour`, t`works for another day`, t`works for another week`];
  const form = useForm(
    [],
    () => post<NewKey>(`/account/keys/${apiKey.id}/rotate`, { grace_seconds: Number(grace) }),
    onMade,
  );
  return (
    <div className="flex flex-col gap-4">
      <p>
        <Trans>A new key takes over the limits, the budget and the end of this one.</Trans>
      </p>
      <Select
        label={t`The former key`}
        value={grace}
        onValue={setGrace}
        choices={GRACES.map((value, index) => ({ value, label: words[index] ?? value }))}
      />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy} onSend={() => form.send()}>
        <Trans>Replace the key</Trans>
      </FormActions>
    </div>
  );
}

/** Replaces a key by a new one, which is shown once. */
export function RotateKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <RotateCw aria-hidden />
        <Trans>Replace</Trans>
      </Button>
      <MadeKeyDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t`Replace this key?`}
        form={(onMade, onClose) => <RotateForm apiKey={apiKey} onMade={onMade} onClose={onClose} />}
      />
    </>
  );
}
