import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { remove, withQuery } from '../../api/call.js';
import type { Member } from '../../api/people.js';
import { ConfirmButton } from '../../parts/confirm-button.jsx';
import { Switch } from '../../parts/switch.jsx';

/** Ends a membership. The member's keys end with it, or stay as keys of the organisation. */
export function RemoveMember({ member, onDone }: { readonly member: Member; readonly onDone: () => void }) {
  const { t } = useLingui();
  const [isHandedOver, setIsHandedOver] = useState(false);
  const path = withQuery(`/account/members/${member.id}`, { keys: isHandedOver ? 'hand_over' : 'revoke' });
  return (
    <ConfirmButton
      label={t`Remove this member`}
      className="self-start"
      title={t`Remove ${member.name || member.email}?`}
      action={t`Remove`}
      run={() => remove(path)}
      onDone={onDone}
    >
      <p>
        <Trans>The member can read and change nothing here from now on.</Trans>
      </p>
      <Switch
        label={t`Keep the keys`}
        hint={t`They become keys of the organisation. Otherwise they are refused within five seconds.`}
        isOn={isHandedOver}
        onChange={setIsHandedOver}
      />
    </ConfirmButton>
  );
}
