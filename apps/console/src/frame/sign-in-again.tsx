import { Dialog } from '@base-ui/react/dialog';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { get, post } from '../api/call.js';
import { chooseOrganisation } from '../api/people.js';
import { refreshAll } from '../api/refresh-list.js';
import { type AnySession, useAnySession } from '../api/session.js';
import { Button } from '../parts/button.jsx';
import { TextField } from '../parts/field.jsx';
import { submitting, useForm } from '../parts/form.js';
import { FormProblem } from '../parts/form-problem.jsx';

/** The session that continues the former one, in its organisation. Null: it is of another person, or that is not theirs. */
async function continued({ person, account }: AnySession): Promise<AnySession | null> {
  const session = await get<AnySession>('/account/session');
  if (session.person.id !== person.id) return null;
  if (account === null || session.account?.id === account.id) return session;
  if (!session.accounts.some(({ id }) => id === account.id)) return null;
  await chooseOrganisation(account.id);
  return get<AnySession>('/account/session');
}

function useSignIn() {
  const queries = useQueryClient();
  const { history } = useRouter();
  // Also after a sign-in in another tab: what happened meanwhile was not received.
  useEffect(() => () => refreshAll(queries), [queries]);
  const before = useAnySession();
  const [email, setEmail] = useState(before.person.email);
  const [password, setPassword] = useState('');
  const form = useForm(
    ['email', 'password'],
    async () => {
      await post('/account/login', { email, password });
      return continued(before);
    },
    // With a session, all of the page is read again, and this closes.
    (session) => {
      if (session !== null) return;
      queries.clear();
      history.push('/console/');
    },
  );
  return { email, setEmail, password, setPassword, form };
}

/**
 * In front of the page when its session has ended. The page stays behind it, with all that is typed, but shows nothing:
 * somebody else may sit there now.
 */
export function SignInAgain() {
  const { t } = useLingui();
  const { email, setEmail, password, setPassword, form } = useSignIn();
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-ground" />
        <Dialog.Popup className="fixed inset-x-4 top-[16vh] z-50 mx-auto max-w-80 outline-none">
          <form onSubmit={submitting(form.send)} noValidate className="flex flex-col gap-4">
            <Dialog.Title className="font-semibold text-title tracking-tight">{t`Sign in again`}</Dialog.Title>
            <Dialog.Description className="text-muted">
              <Trans>Your session has ended. The page behind is as you left it.</Trans>
            </Dialog.Description>
            <TextField
              label={t`E-mail`}
              type="email"
              autoComplete="username"
              value={email}
              onValue={setEmail}
              problem={form.problemOf('email')}
            />
            <TextField
              label={t`Password`}
              type="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onValue={setPassword}
              problem={form.problemOf('password')}
            />
            <FormProblem form={form} />
            <Button kind="filled" type="submit" isBusy={form.isBusy}>
              <Trans>Sign in</Trans>
            </Button>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
