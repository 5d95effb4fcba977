import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { Problem } from '../../parts/states.jsx';
import { Entry } from './entry.jsx';

/** Only a page of the console: an address elsewhere would lead a person away after the sign-in. */
const pageOf = (back: string | undefined): string => (back !== undefined && /^\/(?![/\\])/.test(back) ? back : '/');

export function SignInPage() {
  const { t } = useLingui();
  const { back } = useSearch({ strict: false }) as { back?: string };
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { history } = useRouter();
  const queries = useQueryClient();
  const form = useForm(
    ['email', 'password'],
    () => post('/account/login', { email, password }),
    () => {
      queries.clear();
      history.push(`/console${pageOf(back)}`);
    },
  );
  return (
    <Entry
      title={t`Sign in`}
      onSubmit={() => form.send(undefined)}
      foot={
        <Trans>
          New here?{' '}
          <Link to="/create-account" className="text-accent hover:underline">
            Create an account
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
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        problem={form.problemOf('password')}
      />
      {form.other !== null && <Problem error={form.other} />}
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Sign in</Trans>
      </Button>
    </Entry>
  );
}
