import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { post } from '../../api/call.js';
import type { Invitation } from '../../api/people.js';
import type { Role } from '../../api/roles.js';
import { Dialog } from '../../parts/dialog.jsx';
import { TextField } from '../../parts/field.jsx';
import { submitting, useForm } from '../../parts/form.js';
import { FormActions } from '../../parts/form-actions.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { useToast } from '../../parts/toasts.jsx';
import { RoleSelect } from './role-select.jsx';

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const toast = useToast();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const form = useForm(
    ['email', 'role'],
    () => post<Invitation>('/account/invitations', { email, role, locale: i18n.locale }),
    () => {
      toast({ title: t`The mail is on its way`, description: email });
      onClose();
    },
  );
  return (
    <form onSubmit={submitting(form.send)} noValidate className="flex flex-col gap-4">
      <TextField
        label={t`E-mail`}
        type="email"
        autoComplete="off"
        autoFocus
        value={email}
        onValue={setEmail}
        problem={form.problemOf('email')}
      />
      <RoleSelect role={role} onRole={setRole} />
      <FormProblem form={form} />
      <FormActions onClose={onClose} isBusy={form.isBusy}>
        <Trans>Send invitation</Trans>
      </FormActions>
    </form>
  );
}

/** Invites a person by mail. The link lasts seven days. */
export function InviteDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t`Invite a member`}
      about={<Trans>A mail brings a link that lasts seven days.</Trans>}
    >
      <InviteForm onClose={onClose} />
    </Dialog>
  );
}
