import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AccountSettings, accountSettingsQuery } from '../../api/account-settings.js';
import { patch } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { type CapDraft, capsOf, draftsOf } from '../../parts/cap-drafts.js';
import { CapLines } from '../../parts/cap-lines.jsx';
import { CapsEditor } from '../../parts/caps-editor.jsx';
import { changedFields } from '../../parts/changed-fields.js';
import { TextField } from '../../parts/field.jsx';
import { Amount } from '../../parts/figures.jsx';
import { submitting } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { usdOrText } from '../../parts/number-text.js';
import { Section } from '../../parts/page.jsx';
import { useSavedForm } from '../../parts/saved-form.js';
import { Problem, Skeleton } from '../../parts/states.jsx';

interface Draft {
  readonly low: string;
  readonly caps: readonly CapDraft[];
}

const draftOf = ({ low_balance_usd: low, caps }: AccountSettings): Draft => ({ low: low ?? '', caps: draftsOf(caps) });

const bodyOf = ({ low, caps }: Draft) => ({
  low_balance_usd: usdOrText(low) || null,
  caps: capsOf(caps),
});

function AlertsForm({ settings }: { readonly settings: AccountSettings }) {
  const { t } = useLingui();
  const { form, draft, setDraft } = useSavedForm({
    fields: ['low_balance_usd', 'caps'],
    value: settings,
    draftOf,
    send: (saved, draft) => patch<AccountSettings>('/account/settings', changedFields(bodyOf(saved), bodyOf(draft))),
  });
  return (
    <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
      <TextField
        label={t`Low balance, USD`}
        hint={t`An event when the balance falls below it. Empty: none.`}
        inputMode="decimal"
        fieldClass="max-w-80"
        value={draft.low}
        onValue={(low) => setDraft({ ...draft, low })}
        problem={form.problemOf('low_balance_usd')}
      />
      <CapsEditor
        drafts={draft.caps}
        onChange={(caps) => setDraft({ ...draft, caps })}
        problem={form.problemOf('caps')}
      />
      <FormProblem form={form} />
      <Button type="submit" className="self-start" isBusy={form.isBusy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  );
}

const LowBalance = ({ settings }: { readonly settings: AccountSettings }) =>
  settings.low_balance_usd === null ? (
    <p className="text-muted">
      <Trans>No event for a low balance.</Trans>
    </p>
  ) : (
    <p>
      <Trans>
        An event below <Amount usd={settings.low_balance_usd} />.
      </Trans>
    </p>
  );

/** The budgets of the organisation: a cap that refuses, or one that only sends an event. An owner changes them. */
export function Alerts() {
  const { t } = useLingui();
  const isOwner = useMay('owner');
  const { data, error, refetch } = useQuery(accountSettingsQuery);
  return (
    <Section
      title={t`Budgets and alerts`}
      about={<Trans>Over all keys together. Events reach your webhooks: balance.low and cap.reached.</Trans>}
    >
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={2} />}
      {data !== undefined && data.caps.length > 0 && (
        <CapLines label={t`What is used of the caps`} caps={data.caps.map((cap) => ({ cap }))} />
      )}
      {data !== undefined && (isOwner ? <AlertsForm settings={data} /> : <LowBalance settings={data} />)}
    </Section>
  );
}
