import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Notice } from '../../parts/notice.jsx';

export const SignInLink = () => (
  <Link to="/sign-in" className="text-accent hover:underline">
    <Trans>Sign in</Trans>
  </Link>
);

/** Asks for the mail with the link. It never says whether the address is registered. */
export function ForgotPasswordPage() {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm(
    ['email'],
    () => post('/account/password-resets', { email }),
    () => setSentTo(email),
  );
  if (sentTo !== null)
    return (
      <Entry title={t`Look into your mail`} foot={<SignInLink />}>
        <Notice>
          <Trans>If {sentTo} has a login, a mail with a link is on its way. The link lasts one hour.</Trans>
        </Notice>
      </Entry>
    );
  return (
    <Entry title={t`Forgot your password?`} onSubmit={form.send} foot={<SignInLink />}>
      <p className="text-muted">
        <Trans>We send you a link. With it you choose a new password.</Trans>
      </p>
      <TextField
        label={t`E-mail`}
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onValue={setEmail}
        problem={form.problemOf('email')}
      />
      <FormProblem form={form} />
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Send the link</Trans>
      </Button>
    </Entry>
  );
}
