import { Trans, useLingui } from '@lingui/react/macro';
import { remove } from '../../api/call.js';
import { useRows } from '../../api/pages.js';
import type { Member } from '../../api/people.js';
import { useAnySession } from '../../api/session.js';
import { ConfirmButton } from '../../parts/confirm-button.jsx';

/** The person leaves the organisation of the session. The last owner cannot. */
export function LeaveOrganisation({ name }: { readonly name: string }) {
  const { t } = useLingui();
  const { person } = useAnySession();
  const { rows: members = [] } = useRows<Member>('/account/members', { limit: undefined });
  const own = members.find(({ person_id: id }) => id === person.id);
  const isLastOwner = own?.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
  if (own === undefined) return null;
  if (isLastOwner)
    return (
      <span className="text-muted text-small">
        <Trans>You are its last owner</Trans>
      </span>
    );
  return (
    <ConfirmButton
      label={t`Leave`}
      title={t`Leave ${name}?`}
      action={t`Leave`}
      run={() => remove(`/account/members/${own.id}`)}
    >
      <p>
        <Trans>Your keys there end within five seconds. Only another invitation lets you back in.</Trans>
      </p>
    </ConfirmButton>
  );
}
