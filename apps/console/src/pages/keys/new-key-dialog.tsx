import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { post } from '../../api/call.js';
import type { NewKey } from '../../api/keys.js';
import { Button } from '../../parts/button.jsx';
import { Dialog, DialogActions } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { SecretText } from '../../parts/secret-text.jsx';
import { Problem } from '../../parts/states.jsx';
import { Switch } from '../../parts/switch.jsx';
import { type CapDraft, CapsEditor, capsOf } from './caps-editor.jsx';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface Draft {
  readonly name: string;
  readonly models: string;
  readonly days: string;
  readonly isTest: boolean;
  readonly caps: readonly CapDraft[];
}

const EMPTY: Draft = { name: '', models: '', days: '', isTest: false, caps: [] };

const listOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '');

function bodyOf({ name, models, days, isTest, caps }: Draft): object {
  const named = listOf(models);
  return {
    name,
    test: isTest,
    ...(named.length > 0 && { models: named }),
    ...(days.trim() !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    ...(caps.length > 0 && { caps: capsOf(caps) }),
  };
}

interface FormProps {
  readonly onMade: (key: NewKey) => void;
  readonly onCancel: () => void;
}

function NewKeyForm({ onMade, onCancel }: FormProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(EMPTY);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const form = useForm(
    ['name', 'models', 'expires_at', 'caps'],
    () => post<NewKey>('/account/keys', bodyOf(draft)),
    onMade,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.send(undefined);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t`Name`}
        hint={t`What uses it, such as “website” or “my laptop”.`}
        autoFocus
        value={draft.name}
        onValue={(name) => set({ name })}
        problem={form.problemOf('name')}
      />
      <TextField
        label={t`Models`}
        hint={t`Empty: every model. Otherwise ids, with commas between them.`}
        value={draft.models}
        onValue={(models) => set({ models })}
        problem={form.problemOf('models')}
      />
      <TextField
        label={t`Ends after days`}
        hint={t`Empty: it does not end.`}
        inputMode="numeric"
        value={draft.days}
        onValue={(days) => set({ days })}
        problem={form.problemOf('expires_at')}
      />
      <CapsEditor drafts={draft.caps} onChange={(caps) => set({ caps })} problem={form.problemOf('caps')} />
      <Switch
        label={t`Test key`}
        hint={t`The simulator answers; it costs nothing. This cannot be changed later.`}
        isOn={draft.isTest}
        onChange={(isTest) => set({ isTest })}
      />
      {form.other !== null && <Problem error={form.other} />}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="filled" type="submit" isBusy={form.isBusy}>
          <Trans>Create key</Trans>
        </Button>
      </DialogActions>
    </form>
  );
}

const MadeKey = ({ made, onDone }: { readonly made: NewKey; readonly onDone: () => void }) => {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Trans>Copy the key now. It is not shown again.</Trans>
      </p>
      <SecretText text={made.key} copyLabel={t`Copy the key`} />
      <DialogActions>
        <Button kind="filled" onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </div>
  );
};

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
