import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Entry } from '../../frame/entry.jsx';
import { Button } from '../../parts/button.jsx';
import { TextField } from '../../parts/field.jsx';
import { useForm } from '../../parts/form.js';
import { FormProblem } from '../../parts/form-problem.jsx';
import { type JoinProps, OfferWords, SignedInAsAnother } from './offer-words.jsx';

/** The address has no login yet: the person chooses a name and a password, and is signed in. */
export function JoinAsNew({ token, offer, signedInAs }: JoinProps) {
  const { t, i18n } = useLingui();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm(
    ['name', 'password'],
    () =>
      post('/account/invitations/accept', {
        token,
        password,
        locale: i18n.locale,
        ...(name.trim() !== '' && { name }),
      }),
    async () => {
      queries.clear();
      await navigate({ to: '/' });
    },
  );
  return (
    <Entry title={t`Join ${offer.organisation}`} onSubmit={form.send}>
      <OfferWords offer={offer} />
      <SignedInAsAnother offer={offer} signedInAs={signedInAs} />
      <TextField
        label={t`Your name`}
        autoComplete="name"
        autoFocus
        value={name}
        onValue={setName}
        problem={form.problemOf('name')}
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
      <FormProblem form={form} />
      <Button kind="filled" type="submit" isBusy={form.isBusy}>
        <Trans>Join</Trans>
      </Button>
    </Entry>
  );
}
