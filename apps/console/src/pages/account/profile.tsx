import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { patch, post } from '../../api/call.js';
import { type Person, personQuery } from '../../api/people.js';
import { LANGUAGES } from '../../frame/language.js';
import { Button } from '../../parts/button.jsx';
import { changedFields } from '../../parts/changed-fields.js';
import { TextField } from '../../parts/field.jsx';
import { submitting } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Notice } from '../../parts/notice.jsx';
import { Section } from '../../parts/page.jsx';
import { useSavedForm } from '../../parts/saved-form.js';
import { Select } from '../../parts/select.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { useToast } from '../../parts/toasts.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { ChangeEmail } from './change-email.jsx';

function Unconfirmed({ email }: { readonly email: string }) {
  const { t } = useLingui();
  const toast = useToast();
  const send = useExclusiveMutation({
    mutationFn: () => post('/account/person/confirmation'),
    onSuccess: () => toast({ title: t`The mail is on its way` }),
  });
  return (
    <Notice kind="warned">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Trans>{email} is not confirmed yet. Open the link of the mail.</Trans>
        <Button isBusy={send.isPending} onClick={() => send.mutate()}>
          <Trans>Send the mail again</Trans>
        </Button>
      </div>
      {send.error !== null && <Problem error={send.error} />}
    </Notice>
  );
}

const draftOf = ({ name, locale }: Person) => ({ name, locale });

function ProfileForm({ person }: { readonly person: Person }) {
  const { t } = useLingui();
  const { form, draft, setDraft } = useSavedForm({
    fields: ['name', 'locale'],
    value: person,
    draftOf,
    send: (saved, draft) => patch<Person>('/account/person', changedFields(saved, draft)),
  });
  return (
    <form onSubmit={submitting(form.send)} className="flex max-w-80 flex-col gap-4">
      <TextField
        label={t`Your name`}
        autoComplete="name"
        value={draft.name}
        onValue={(name) => setDraft({ ...draft, name })}
        problem={form.problemOf('name')}
      />
      <Select
        label={t`Language of mails`}
        value={draft.locale}
        onValue={(locale) => setDraft({ ...draft, locale })}
        choices={(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map((value) => ({
          value,
          label: LANGUAGES[value],
        }))}
      />
      <FormProblem form={form} />
      <Button type="submit" className="self-start" isBusy={form.isBusy}>
        <Trans>Save</Trans>
      </Button>
    </form>
  );
}

/** What a person says of himself or herself, in all organisations. */
export function Profile() {
  const { t } = useLingui();
  const { data: person, error, refetch } = useQuery(personQuery);
  return (
    <Section title={t`You`}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {person === undefined && error === null && <Skeleton rows={3} />}
      {person !== undefined && (
        <>
          {person.confirmed_at === null && <Unconfirmed email={person.email} />}
          <ProfileForm person={person} />
          <ChangeEmail person={person} />
        </>
      )}
    </Section>
  );
}
