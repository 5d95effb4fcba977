import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { post } from '../../api/call.js';
import { Notice } from '../../parts/notice.jsx';
import { CredentialsForm } from './credentials-form.jsx';

interface SignInSearch {
  readonly back?: string;
  /** Filled in, when a link of a mail led here. */
  readonly email?: string;
  /** The name of the organisation that the person has just joined. */
  readonly joined?: string;
}

/** Only a page of the console: an address elsewhere would lead a person away after the sign-in. */
const pageOf = (back: string | undefined): string => (back !== undefined && /^\/(?![/\\])/.test(back) ? back : '/');

export function SignInPage() {
  const { t } = useLingui();
  const { back, email, joined } = useSearch({ strict: false }) as SignInSearch;
  const { history } = useRouter();
  const queries = useQueryClient();
  return (
    <CredentialsForm
      title={t`Sign in`}
      submit={t`Sign in`}
      isNew={false}
      {...(email !== undefined && { email })}
      {...(joined !== undefined && {
        notice: (
          <Notice>
            <Trans>You joined {joined}. Sign in to work there.</Trans>
          </Notice>
        ),
      })}
      send={(credentials) => post('/account/login', credentials)}
      onDone={() => {
        queries.clear();
        history.push(`/console${pageOf(back)}`);
      }}
      passwordHint={
        <Link to="/forgot-password" className="text-accent hover:underline">
          <Trans>Forgot your password?</Trans>
        </Link>
      }
      foot={
        <Trans>
          New here?{' '}
          <Link to="/create-account" className="text-accent hover:underline">
            Create an account
          </Link>
        </Trans>
      }
    />
  );
}
