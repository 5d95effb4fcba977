import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { patch } from '../../api/call.js';
import type { Member } from '../../api/people.js';
import { includesRole, type Role } from '../../api/roles.js';
import { useSession } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { type CapDraft, capsOf, draftsOf } from '../../parts/cap-drafts.js';
import { CapLines } from '../../parts/cap-lines.jsx';
import { CapsEditor } from '../../parts/caps-editor.jsx';
import { changedFields } from '../../parts/changed-fields.js';
import { Dialog } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { FormProblem } from '../../parts/form-problem.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { useSavedForm } from '../../parts/saved-form.js';
import { Switch } from '../../parts/switch.jsx';
import { RemoveMember } from './remove-member.jsx';
import { RoleSelect } from './role-select.jsx';

interface Draft {
  readonly role: Role;
  readonly caps: readonly CapDraft[];
  /** The keys end with this change. */
  readonly isRevoking: boolean;
}

const draftOf = ({ role, caps }: Member): Draft => ({ role, caps: draftsOf(caps), isRevoking: false });
const bodyOf = ({ role, caps, isRevoking }: Draft) => ({
  role,
  caps: capsOf(caps),
  keys: isRevoking ? 'revoke' : 'keep',
});

/** Keys go on working and spending when their member may make none any more, so the owner decides about them. */
const losesKeys = ({ open_keys }: Member, role: Role): boolean => open_keys > 0 && !includesRole(role, 'developer');

function MemberSettings({ member }: { readonly member: Member }) {
  const { t } = useLingui();
  const { form, draft, setDraft } = useSavedForm({
    fields: ['role', 'caps'],
    value: member,
    draftOf,
    send: (saved, draft) => patch<Member>(`/account/members/${member.id}`, changedFields(bodyOf(saved), bodyOf(draft))),
  });
  return (
    <Section title={t`Settings`} about={<Trans>Caps count all keys of the member together.</Trans>}>
      <RoleSelect
        role={draft.role}
        onRole={(role) => setDraft({ ...draft, role, isRevoking: role !== member.role && losesKeys(member, role) })}
      />
      {losesKeys(member, draft.role) && (
        <Switch
          label={t`${plural(member.open_keys, { one: 'Revoke the # key of this member', other: 'Revoke the # keys of this member' })}`}
          hint={t`The role makes no keys, but keys that exist go on working and spending.`}
          isOn={draft.isRevoking}
          onChange={(isRevoking) => setDraft({ ...draft, isRevoking })}
        />
      )}
      <CapsEditor
        drafts={draft.caps}
        onChange={(caps) => setDraft({ ...draft, caps })}
        problem={form.problemOf('caps')}
      />
      <FormProblem form={form} />
      <Button className="self-start" isBusy={form.isBusy} onClick={() => form.send()}>
        <Trans>Save</Trans>
      </Button>
    </Section>
  );
}

function MemberView({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const { t } = useLingui();
  const { person } = useSession();
  return (
    <div className="flex flex-col gap-7">
      <Facts
        rows={[
          [t`E-mail`, member.email],
          [t`Since`, <Time key="since" at={member.created_at} form="relative" />],
        ]}
      />
      {member.caps.length > 0 && (
        <Section title={t`Caps`}>
          <CapLines label={t`What is used of the caps`} caps={member.caps.map((cap) => ({ cap }))} />
        </Section>
      )}
      <MemberSettings member={member} />
      {member.person_id !== person.id && <RemoveMember member={member} onDone={onClose} />}
    </div>
  );
}

interface MemberPanelProps {
  readonly member: Member | undefined;
  readonly onClose: () => void;
}

/** One member beside the list: the role, the caps over all of the member's keys, and the end. */
export const MemberPanel = ({ member, onClose }: MemberPanelProps) => (
  <Dialog isOpen={member !== undefined} onClose={onClose} place="panel" title={member?.name || (member?.email ?? '')}>
    {member !== undefined && <MemberView key={member.id} member={member} onClose={onClose} />}
  </Dialog>
);
