import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface CredentialsFormProps<Result> {
  readonly title: string;
  readonly submit: string;
  /** True: a password manager offers a new password. */
  readonly isNew: boolean;
  readonly email?: string;
  /** What happened before, such as that the person joined an organisation. */
  readonly notice?: ReactNode;
  readonly passwordHint?: ReactNode;
  readonly foot: ReactNode;
  readonly send: (credentials: Credentials) => Promise<Result>;
  readonly onDone: (result: Result, credentials: Credentials) => void | Promise<void>;
}

/** An address and a password: to sign in, or to create an account. */
export function CredentialsForm<Result>(props: CredentialsFormProps<Result>) {
  const { title, submit, isNew, notice, passwordHint, foot, send, onDone } = props;
  const { t } = useLingui();
  const [email, setEmail] = useState(props.email ?? '');
  const [password, setPassword] = useState('');
  const form = useForm(['email', 'password'], send, (result) => onDone(result, { email, password }));
  const isEmailKnown = props.email !== undefined;
  return (
    <Entry title={title} foot={foot} onSubmit={() => form.send({ email, password })}>
      {notice}
      <TextField
        label={t`E-mail`}
        type="email"
        autoComplete="username"
        autoFocus={!isEmailKnown}
        value={email}
        onValue={setEmail}
        problem={form.problemOf('email')}
      />
      <TextField
        label={t`Password`}
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        autoFocus={isEmailKnown}
        hint={passwordHint}
        value={password}
        onValue={setPassword}
        problem={form.problemOf('password')}
      />
      <FormProblem form={form} />
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        {submit}
      </Button>
    </Entry>
  );
}
