import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { balanceQuery } from '../api/money.js';
import { useSession } from '../api/session.js';
import { nanoUsd } from '../format/money.js';
import { buttonClasses } from './button.jsx';
import { CopyButton } from './copy-button.jsx';
import { Notice } from './notice.jsx';

/** False while the balance is not known: a page must not warn of what it does not know. */
export function useHasNoCredit(): boolean {
  const { data } = useQuery(balanceQuery);
  return data !== undefined && nanoUsd(data.available_usd) <= 0n;
}

/** Where credit comes from, for an account that has none. Otherwise nothing. */
export function NoCredit() {
  const { t } = useLingui();
  const { account, administrator, view } = useSession();
  if (!useHasNoCredit()) return null;
  return (
    <Notice kind="warned">
      <p className="font-medium">
        <Trans>No credit is left</Trans>
      </p>
      <p className="max-w-prose text-muted">
        <Trans>
          Requests are refused until the operator of this gateway credits your account. Send them its id. A test key
          works without credit: the simulator answers.
        </Trans>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <code className="min-w-0 break-all font-mono text-small">{account.id}</code>
        <CopyButton text={account.id} label={t`Copy the account id`} />
        {administrator && view === null && (
          <Link to="/operator/accounts" search={{ open: account.id } as never} className={buttonClasses('plain')}>
            <Trans>Credit this account</Trans>
          </Link>
        )}
      </p>
    </Notice>
  );
}
