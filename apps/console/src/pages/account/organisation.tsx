import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AccountSettings, accountSettingsQuery } from '../../api/account-settings.js';
import { patch } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { changedFields } from '../../parts/changed-fields.js';
import { TextField } from '../../parts/field.jsx';
import { submitting } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { useSavedForm } from '../../parts/saved-form.js';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { TimeZoneField } from '../../parts/time-zone-field.jsx';
import { DeleteOrganisation } from './delete-organisation.jsx';

const draftOf = ({ name, email, time_zone }: AccountSettings) => ({ name, email, time_zone });

function SettingsForm({ settings }: { readonly settings: AccountSettings }) {
  const { t } = useLingui();
  const { form, draft, setDraft } = useSavedForm({
    fields: ['name', 'email', 'time_zone'],
    value: settings,
    draftOf,
    send: (saved, draft) => patch<AccountSettings>('/account/settings', changedFields(saved, draft)),
  });
  return (
    <form onSubmit={submitting(form.send)} noValidate className="flex max-w-96 flex-col gap-4">
      <TextField
        label={t`Name`}
        value={draft.name}
        onValue={(name) => setDraft({ ...draft, name })}
        problem={form.problemOf('name')}
      />
      <TextField
        label={t`E-mail of the organisation`}
        type="email"
        hint={t`It stands on statements.`}
        value={draft.email}
        onValue={(email) => setDraft({ ...draft, email })}
        problem={form.problemOf('email')}
      />
      <TimeZoneField
        value={draft.time_zone}
        onValue={(zone) => setDraft({ ...draft, time_zone: zone })}
        problem={form.problemOf('time_zone')}
      />
      <FormProblem form={form} />
      <Button type="submit" className="self-start" isBusy={form.isBusy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  );
}

const SettingsFacts = ({ settings }: { readonly settings: AccountSettings }) => {
  const { t } = useLingui();
  return (
    <Facts
      rows={[
        [t`Name`, settings.name || '—'],
        [t`E-mail of the organisation`, settings.email],
        [t`Time zone`, settings.time_zone],
      ]}
    />
  );
};

/** The name of the organisation, its address and its calendar. Only an owner changes them. */
export function Organisation() {
  const { t } = useLingui();
  const isOwner = useMay('owner');
  const { data, error, refetch } = useQuery(accountSettingsQuery);
  return (
    <div className="flex flex-col gap-7 pt-2">
      <Section title={t`Organisation`} {...(!isOwner && { about: <Trans>An owner changes these.</Trans> })}>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton rows={3} />}
        {data !== undefined && (isOwner ? <SettingsForm settings={data} /> : <SettingsFacts settings={data} />)}
      </Section>
      {data !== undefined && isOwner && <DeleteOrganisation name={data.name || data.email} />}
    </div>
  );
}
