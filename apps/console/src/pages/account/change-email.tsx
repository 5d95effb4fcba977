import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { Person } from '../../api/people.js';
import { Button } from '../../parts/button.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { useToast } from '../../parts/toasts.jsx';

function EmailForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm(
    ['email', 'password'],
    () => post('/account/person/email', { email, password }),
    () => {
      toast({ title: t`The mail is on its way`, description: t`Your address changes when its link is used.` });
      onClose();
    },
  );
  return (
    <form onSubmit={submitting(form.send)} noValidate className="flex flex-col gap-4">
      <TextField
        label={t`New e-mail`}
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        onValue={setEmail}
        problem={form.problemOf('email')}
      />
      <TextField
        label={t`Current password`}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        problem={form.problemOf('password')}
      />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy}>
        <Trans>Send the link</Trans>
      </FormActions>
    </form>
  );
}

/** The address with which the person signs in. It changes when the link in the mail to the new one is used. */
export function ChangeEmail({ person }: { readonly person: Person }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="wrap-anywhere min-w-0">
        <Trans>You sign in with {person.email}.</Trans>
      </span>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        <Trans>Change the address</Trans>
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={t`Change the address`}>
        <EmailForm onClose={close} />
      </Dialog>
    </p>
  );
}
