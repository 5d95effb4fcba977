import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Notice } from '../../parts/notice.jsx';
import { SignInLink } from './forgot-password-page.jsx';
import { isAboutLink, LinkProblem } from './link-problem.jsx';
import { useToken } from './use-token.js';

const AnotherLink = () => (
  <Link to="/forgot-password" className="text-accent hover:underline">
    <Trans>Ask for another link</Trans>
  </Link>
);

function NewPassword({ token }: { readonly token: string }) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [isDone, setIsDone] = useState(false);
  const queries = useQueryClient();
  const form = useForm(
    ['new_password'],
    () => post('/account/password-resets/complete', { token, new_password: password }),
    () => {
      // Every session has ended, also the one of this browser.
      queries.clear();
      setIsDone(true);
    },
  );
  if (isDone)
    return (
      <Entry title={t`Your password is changed`} foot={<SignInLink />}>
        <Notice kind="done">
          <Trans>Every session has ended. Sign in with the new password.</Trans>
        </Notice>
      </Entry>
    );
  if (isAboutLink(form.other))
    return (
      <LinkProblem
        error={form.other}
        next={<Trans>Your password is as it was. A link works once, for one hour.</Trans>}
        foot={<AnotherLink />}
      />
    );
  return (
    <Entry title={t`Choose a new password`} onSubmit={form.send} foot={<SignInLink />}>
      <TextField
        label={t`New password`}
        type="password"
        autoComplete="new-password"
        autoFocus
        hint={t`At least 8 characters. It ends every session.`}
        value={password}
        onValue={setPassword}
        problem={form.problemOf('new_password')}
      />
      <FormProblem form={form} />
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Change password</Trans>
      </Button>
    </Entry>
  );
}

/** What the mail of a forgotten password opens. */
export function ResetPasswordPage() {
  const token = useToken();
  if (token !== null) return <NewPassword token={token} />;
  return <LinkProblem error={null} next={<Trans>A link works once, for one hour.</Trans>} foot={<AnotherLink />} />;
}
