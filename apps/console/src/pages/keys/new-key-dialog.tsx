import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { NewKey } from '../../api/keys.js';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Switch } from '../../parts/switch.jsx';
import { bodyOf, type KeyDraft, NEW_KEY } from './key-draft.js';
import { KEY_FIELDS, KeyFields } from './key-fields.jsx';
import { MadeKeyDialog } from './made-key.jsx';

interface FormProps {
  readonly onMade: (key: NewKey) => void;
  readonly onCancel: () => void;
}

function NewKeyForm({ onMade, onCancel }: FormProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(NEW_KEY);
  const [isTest, setIsTest] = useState(false);
  const form = useForm(KEY_FIELDS, () => post<NewKey>('/account/keys', { ...bodyOf(draft), test: isTest }), onMade);
  return (
    <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
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
      <FormProblem form={form} />
      <FormActions onClose={onCancel} isBusy={form.isBusy}>
        <Trans>Create key</Trans>
      </FormActions>
    </form>
  );
}

/** Makes a key, and shows it once. */
export function NewKeyDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  return (
    <MadeKeyDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t`New key`}
      form={(onMade, onCancel) => <NewKeyForm onMade={onMade} onCancel={onCancel} />}
    />
  );
}
