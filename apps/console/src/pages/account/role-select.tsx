import { useLingui } from '@lingui/react/macro';
import { ROLES, type Role } from '../../api/roles.js';
import { useRoleWords } from '../../parts/role-words.js';
import { Select } from '../../parts/select.jsx';

interface RoleSelectProps {
  readonly role: Role;
  readonly onRole: (role: Role) => void;
}

/** A role, and in one line what it may do. */
export function RoleSelect({ role, onRole }: RoleSelectProps) {
  const { t } = useLingui();
  const words = useRoleWords();
  return (
    <div className="flex flex-col gap-1">
      <Select
        label={t`Role`}
        value={role}
        onValue={onRole}
        choices={ROLES.map((value) => ({ value, label: words[value].name }))}
      />
      <p className="text-muted text-small">{words[role].may}</p>
    </div>
  );
}
