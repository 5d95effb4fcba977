import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { post } from '../../api/call.js';
import { visitorQuery } from '../../api/session.js';
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

/** Who has a session goes on, unless a link of a mail asks for another person. */
function useGoOn({ back, email, joined }: SignInSearch): void {
  const { history } = useRouter();
  const isForOther = email !== undefined || joined !== undefined;
  const { data: visitor } = useQuery({ ...visitorQuery, enabled: !isForOther });
  const isSignedIn = visitor !== undefined && visitor !== null;
  useEffect(() => {
    if (isSignedIn) history.replace(`/console${pageOf(back)}`);
  }, [isSignedIn, history, back]);
}

export function SignInPage() {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as SignInSearch;
  const { back, email, joined } = search;
  const { history } = useRouter();
  const queries = useQueryClient();
  useGoOn(search);
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
