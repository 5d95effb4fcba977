import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { post } from '../../api/call.js';
import type { NewKey } from '../../api/keys.js';
import { Dialog } from '../../parts/dialog.jsx';
import { useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { Problem } from '../../parts/states.jsx';
import { Switch } from '../../parts/switch.jsx';
import { bodyOf, type KeyDraft, NEW_KEY } from './key-draft.js';
import { KEY_FIELDS, KeyFields } from './key-fields.jsx';
import { MadeKey } from './made-key.jsx';

interface FormProps {
  readonly onMade: (key: NewKey) => void;
  readonly onCancel: () => void;
}

function NewKeyForm({ onMade, onCancel }: FormProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(NEW_KEY);
  const [isTest, setIsTest] = useState(false);
  const form = useForm(KEY_FIELDS, () => post<NewKey>('/account/keys', { ...bodyOf(draft), test: isTest }), onMade);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.send(undefined);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <KeyFields
        draft={draft}
        onChange={(change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }))}
        problemOf={form.problemOf}
      />
      <Switch
        label={t`Test key`}
        hint={t`The simulator answers; it costs nothing. This cannot be changed later.`}
        isOn={isTest}
        onChange={setIsTest}
      />
      {form.other !== null && <Problem error={form.other} />}
      <FormActions onClose={onCancel} isBusy={form.isBusy}>
        <Trans>Create key</Trans>
      </FormActions>
    </form>
  );
}

/** Makes a key, and shows it once. */
export function NewKeyDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const [made, setMade] = useState<NewKey | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={made === null ? t`New key` : t`Your new key`}>
      {made === null ? <NewKeyForm onMade={setMade} onCancel={close} /> : <MadeKey made={made} onDone={close} />}
    </Dialog>
  );
}
