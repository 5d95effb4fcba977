import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRows } from '../../api/pages.js';
import type { Member } from '../../api/people.js';
import { ROLES } from '../../api/roles.js';
import { useMay, useSession } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Time } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { useRoleWords } from '../../parts/role-words.js';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { Invitations } from './invitations.jsx';
import { InviteDialog } from './invite-dialog.jsx';
import { MemberPanel } from './member-panel.jsx';

function useColumns(): readonly Column<Member>[] {
  const { t } = useLingui();
  const { person } = useSession();
  const roles = useRoleWords();
  return useMemo(
    () => [
      {
        id: 'member',
        title: t`Member`,
        width: 'minmax(12rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => (
          <span className="flex items-center gap-2">
            <span className="truncate font-medium" title={row.email}>
              {row.name || row.email}
            </span>
            {row.person_id === person.id && <Tag>{t`you`}</Tag>}
          </span>
        ),
      },
      { id: 'email', title: t`E-mail`, width: 'minmax(10rem,2fr)', isExtra: true, cell: (row) => row.email },
      { id: 'role', title: t`Role`, width: '7rem', cell: (row) => roles[row.role].name },
      {
        id: 'keys',
        title: t`Keys`,
        width: '5rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => (row.open_keys === 0 ? '—' : row.open_keys),
      },
      {
        id: 'caps',
        title: t`Caps`,
        width: '5rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => (row.caps.length === 0 ? '—' : row.caps.length),
      },
      {
        id: 'since',
        title: t`Since`,
        width: '8rem',
        isExtra: true,
        cell: (row) => <Time at={row.created_at} form="relative" />,
      },
    ],
    [t, person.id, roles],
  );
}

const Roles = () => {
  const { t } = useLingui();
  const roles = useRoleWords();
  return (
    <Section title={t`Roles`}>
      <Facts rows={ROLES.map((role) => [roles[role].name, roles[role].may])} />
    </Section>
  );
};

/** Who belongs to the organisation, who is invited, and what each role may do. */
export function Members() {
  const { t } = useLingui();
  const isOwner = useMay('owner');
  const { open } = useSearch({ strict: false }) as { open?: string };
  const navigate = useNavigate();
  const [isInviting, setIsInviting] = useState(false);
  const columns = useColumns();
  const { rows, error, retry } = useRows<Member>('/account/members', { limit: undefined });
  const show = (id?: string) =>
    void navigate({ to: '/account', search: { tab: 'members', open: id } as never, resetScroll: false });
  return (
    <div className="flex flex-col gap-8 pt-2">
      <Section
        title={t`Members`}
        {...(isOwner && {
          action: (
            <Button kind="filled" onClick={() => setIsInviting(true)}>
              <UserPlus aria-hidden />
              <Trans>Invite</Trans>
            </Button>
          ),
        })}
      >
        {error !== null && <Problem error={error} onRetry={retry} />}
        {rows === undefined && error === null && <Skeleton rows={3} />}
        {rows !== undefined && (
          <DataTable
            label={t`Members`}
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            {...(isOwner && { onOpen: (row: Member) => show(row.id) })}
            openId={open}
          />
        )}
      </Section>
      {isOwner && <Invitations />}
      <Roles />
      {isOwner && <MemberPanel member={rows?.find(({ id }) => id === open)} onClose={() => show()} />}
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </div>
  );
}
