import { Trans } from '@lingui/react/macro';
import type { InvitationOffer } from '../../api/people.js';
import { Notice } from '../../parts/notice.jsx';
import { useRoleWords } from '../../parts/role-words.js';

export interface JoinProps {
  readonly token: string;
  readonly offer: InvitationOffer;
  /** The address of the person whose session the browser has; null: none. */
  readonly signedInAs: string | null;
}

/** Who is invited as what, and what that role may do. */
export function OfferWords({ offer }: Pick<JoinProps, 'offer'>) {
  const { name, may } = useRoleWords()[offer.role];
  return (
    <p className="text-muted">
      <Trans>
        {offer.email} is invited as {name}.
      </Trans>{' '}
      {may}
    </p>
  );
}

export const SignedInAsAnother = ({ offer, signedInAs }: Omit<JoinProps, 'token'>) =>
  signedInAs === null || signedInAs === offer.email ? null : (
    <Notice kind="warned">
      <Trans>
        You are signed in as {signedInAs}. The invitation is for {offer.email}: joining signs you out.
      </Trans>
    </Notice>
  );
