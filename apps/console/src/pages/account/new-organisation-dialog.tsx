import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { post } from '../../api/call.js';
import { chooseOrganisation } from '../../api/people.js';
import { Dialog } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { TimeZoneField } from '../../parts/time-zone-field.jsx';

function OrganisationForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [timeZone, setTimeZone] = useState('UTC');
  const made = useRef<string | undefined>(undefined);
  const form = useForm(
    ['name', 'time_zone'],
    async () => {
      // A second try, after only the choice failed, must not create another one.
      made.current ??= (
        await post<{ readonly id: string }>('/account/organisations', { name, time_zone: timeZone })
      ).id;
      await chooseOrganisation(made.current);
    },
    async () => {
      onClose();
      await navigate({ to: '/' });
    },
  );
  return (
    <form onSubmit={submitting(form.send)} className="flex flex-col gap-4">
      <TextField label={t`Name`} autoFocus value={name} onValue={setName} problem={form.problemOf('name')} />
      <TimeZoneField value={timeZone} onValue={setTimeZone} problem={form.problemOf('time_zone')} />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy}>
        <Trans>Create organisation</Trans>
      </FormActions>
    </form>
  );
}

/** Creates an organisation, and works in it at once. */
export function NewOrganisationDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t`New organisation`}>
      <OrganisationForm onClose={onClose} />
    </Dialog>
  );
}
