import { Trans, useLingui } from '@lingui/react/macro';
import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { includesRole, type Role } from '../api/roles.js';
import { useAnySession } from '../api/session.js';
import { buttonClasses } from '../parts/button.jsx';
import { Page } from '../parts/page.jsx';
import { useRoleWords } from '../parts/role-words.js';

/** A link of a colleague may lead to a page that another role needs. */
function OtherRole({ role, least }: { readonly role: Role; readonly least: Role }) {
  const { t } = useLingui();
  const words = useRoleWords();
  return (
    <Page
      title={t`This page is for another role`}
      about={
        <Trans>
          You are {words[role].name} here. The page needs {words[least].name}; an owner can give you this role.
        </Trans>
      }
    >
      <Link to="/" className={buttonClasses('filled', 'self-start')}>
        <Trans>To the overview</Trans>
      </Link>
    </Page>
  );
}

function NoOrganisation() {
  const { t } = useLingui();
  const { accounts } = useAnySession();
  return (
    <Page
      title={t`You work in no organisation`}
      about={
        accounts.length > 0 ? (
          <Trans>Choose one of yours, or create another.</Trans>
        ) : (
          <Trans>
            You left it, or were removed. Create one of your own, or open the link of an invitation to join another.
          </Trans>
        )
      }
    >
      <Link to="/account" className={buttonClasses('filled', 'self-start')}>
        <Trans>Your organisations</Trans>
      </Link>
    </Page>
  );
}

/** The page of the address, if the role of the person includes what it needs. Otherwise it is not even loaded. */
export function PermittedPage() {
  const { role } = useAnySession();
  const least = useMatches({ select: (matches) => matches.at(-1)?.staticData.least });
  if (least === null || least === undefined) return <Outlet />;
  if (role === null) return <NoOrganisation />;
  return includesRole(role, least) ? <Outlet /> : <OtherRole role={role} least={least} />;
}
