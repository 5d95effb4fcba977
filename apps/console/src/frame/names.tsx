import { Trans } from '@lingui/react/macro';
import { useAnySession } from '../api/session.js';

/** The organisation of the session, and the person. */
export const Names = () => {
  const { person, account } = useAnySession();
  return (
    <span className="block min-w-0 flex-1">
      <span className="block truncate font-medium" title={account?.id}>
        {account === null ? <Trans>No organisation</Trans> : account.name || <Trans>Your organisation</Trans>}
      </span>
      <span className="block truncate text-muted text-small">{person.email}</span>
    </span>
  );
};
