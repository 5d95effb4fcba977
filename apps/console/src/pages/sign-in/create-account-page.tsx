import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { Problem } from '../../parts/states.jsx';
import { Entry } from './entry.jsx';

export function CreateAccountPage() {
  const { t } = useLingui();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm(
    ['email', 'password'],
    () => post('/account/register', { email, password }),
    async () => {
      queries.clear();
      await navigate({ to: '/first-call' });
    },
  );
  return (
    <Entry
      title={t`Create an account`}
      onSubmit={() => form.send(undefined)}
      foot={
        <Trans>
          You have one?{' '}
          <Link to="/sign-in" className="text-accent hover:underline">
            Sign in
          </Link>
        </Trans>
      }
    >
      <TextField
        label={t`E-mail`}
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onValue={setEmail}
        problem={form.problemOf('email')}
      />
      <TextField
        label={t`Password`}
        type="password"
        autoComplete="new-password"
        hint={t`At least 8 characters.`}
        value={password}
        onValue={setPassword}
        problem={form.problemOf('password')}
      />
      {form.other !== null && <Problem error={form.other} />}
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Create account</Trans>
      </Button>
    </Entry>
  );
}
