import { Trans, useLingui } from '@lingui/react/macro';
import { GitFork } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { ApiKey, NewKey } from '../../api/keys.js';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { Amount } from '../../parts/figures.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { numberOrText, usdOrText } from '../../parts/number-text.js';
import { Switch } from '../../parts/switch.jsx';
import { listOf } from './key-draft.js';
import { MadeKeyDialog } from './made-key.jsx';
import { leftOf } from './tree-rows.js';

interface ChildFormProps {
  readonly parent: ApiKey;
  readonly onMade: (made: NewKey) => void;
  readonly onClose: () => void;
}

interface ChildDraft {
  readonly name: string;
  readonly budget: string;
  readonly minutes: string;
  readonly models: string;
  readonly isParent: boolean;
}

const NEW_CHILD: ChildDraft = { name: '', budget: '', minutes: '60', models: '', isParent: false };

const bodyOf = ({ name, budget, minutes, models, isParent }: ChildDraft) => ({
  name,
  budget_usd: usdOrText(budget),
  minutes: numberOrText(minutes),
  models: listOf(models),
  can_make_children: isParent,
});

const Room = ({ parent }: { readonly parent: ApiKey }) => {
  const left = leftOf(parent);
  if (left === null) return <Trans>It is set aside from the balance of the organisation.</Trans>;
  return (
    <Trans>
      <Amount usd={left} /> of the parent's budget is left.
    </Trans>
  );
};

function ChildForm({ parent, onMade, onClose }: ChildFormProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(NEW_CHILD);
  const set = (change: Partial<ChildDraft>) => setDraft((before) => ({ ...before, ...change }));
  const form = useForm(
    ['name', 'budget_usd', 'minutes', 'models'],
    () => post<NewKey>(`/account/keys/${parent.id}/children`, bodyOf(draft)),
    onMade,
  );
  return (
    <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
      <TextField
        label={t`Name`}
        hint={t`Which agent uses it.`}
        autoFocus
        value={draft.name}
        onValue={(name) => set({ name })}
        problem={form.problemOf('name')}
      />
      <TextField
        label={t`Budget, USD`}
        hint={<Room parent={parent} />}
        inputMode="decimal"
        value={draft.budget}
        onValue={(budget) => set({ budget })}
        problem={form.problemOf('budget_usd')}
      />
      <TextField
        label={t`Lives for minutes`}
        hint={t`At most 30 days, and never longer than its parent.`}
        inputMode="numeric"
        value={draft.minutes}
        onValue={(minutes) => set({ minutes })}
        problem={form.problemOf('minutes')}
      />
      <TextField
        label={t`Models`}
        hint={t`Empty: those of the parent. Otherwise some of them.`}
        value={draft.models}
        onValue={(models) => set({ models })}
        problem={form.problemOf('models')}
      />
      <Switch
        label={t`Makes child keys`}
        hint={t`From its own budget.`}
        isOn={draft.isParent}
        onChange={(isParent) => set({ isParent })}
      />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy}>
        <Trans>Create child key</Trans>
      </FormActions>
    </form>
  );
}

/** Makes a key below this one, for an agent. What it does not spend returns. */
export function ChildKey({ parent }: { readonly parent: ApiKey }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <GitFork aria-hidden />
        <Trans>New child key</Trans>
      </Button>
      <MadeKeyDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t`New child key`}
        form={(onMade, onClose) => <ChildForm parent={parent} onMade={onMade} onClose={onClose} />}
      />
    </>
  );
}
