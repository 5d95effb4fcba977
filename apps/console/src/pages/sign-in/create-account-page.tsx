import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../api/call.js';
import { Entry } from '../../frame/entry.jsx';
import { Notice } from '../../parts/notice.jsx';
import { CredentialsForm } from './credentials-form.jsx';

const SignInLink = () => (
  <Trans>
    You have one?{' '}
    <Link to="/sign-in" className="text-accent hover:underline">
      Sign in
    </Link>
  </Trans>
);

const ConfirmFirst = ({ email }: { readonly email: string }) => {
  const { t } = useLingui();
  return (
    <Entry title={t`Confirm your address`} foot={<SignInLink />}>
      <Notice>
        <Trans>We sent a mail to {email}. Open its link, then sign in.</Trans>
      </Notice>
    </Entry>
  );
};

/** The deployment may demand that the address is confirmed before the first session. */
export function CreateAccountPage() {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <ConfirmFirst email={sentTo} />;
  return (
    <CredentialsForm
      title={t`Create an account`}
      submit={t`Create account`}
      isNew
      passwordHint={t`At least 8 characters.`}
      send={(credentials) =>
        post<{ readonly confirmation_required?: boolean }>('/account/register', {
          ...credentials,
          locale: i18n.locale,
        })
      }
      onDone={async ({ confirmation_required: mustConfirm = false }, { email }) => {
        queries.clear();
        if (mustConfirm) setSentTo(email);
        else await navigate({ to: '/first-call' });
      }}
      foot={<SignInLink />}
    />
  );
}
