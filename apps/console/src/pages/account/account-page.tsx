import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRows } from '../../api/pages.js';
import { personQuery, type SessionLine } from '../../api/people.js';
import { useAnySession, useMay } from '../../api/session.js';
import { Page } from '../../parts/page.jsx';
import { Skeleton } from '../../parts/states.jsx';
import { Tabs } from '../../parts/tabs.jsx';
import { useWasTrue } from '../../parts/use-was-true.js';
import { Addresses } from './addresses.jsx';
import { Changes } from './changes.jsx';
import { Members } from './members.jsx';
import { Organisation } from './organisation.jsx';
import { Organisations } from './organisations.jsx';
import { Password } from './password.jsx';
import { Profile } from './profile.jsx';
import { Sessions } from './sessions.jsx';

type TabId = 'you' | 'organisation' | 'members' | 'api' | 'changes';

interface Tab {
  readonly id: TabId;
  readonly label: string;
  readonly content: ReactNode;
}

/** All parts at once: one that comes later would move those that a person already reads. */
function You() {
  const person = useQuery(personQuery);
  const sessions = useRows<SessionLine>('/account/sessions', { limit: undefined });
  const areRead = !person.isPending && (sessions.rows !== undefined || sessions.error !== null);
  if (!useWasTrue(areRead)) return <Skeleton rows={8} />;
  return (
    <div className="flex flex-col gap-8 pt-2">
      <Profile />
      <Organisations />
      <Sessions />
      <Password />
    </div>
  );
}

function useTabs(): readonly Tab[] {
  const { t } = useLingui();
  const mayRead = useMay('viewer');
  const isOwner = useMay('owner');
  const you: Tab = { id: 'you', label: t`You`, content: <You /> };
  const ofOrganisation: readonly Tab[] = [
    { id: 'members', label: t`Members`, content: <Members /> },
    { id: 'organisation', label: t`Organisation`, content: <Organisation /> },
    { id: 'api', label: t`API`, content: <Addresses /> },
  ];
  const changes: Tab = { id: 'changes', label: t`Changes`, content: <Changes /> };
  return [you, ...(mayRead ? ofOrganisation : []), ...(isOwner ? [changes] : [])];
}

/** The person and the organisation. What the role may not read has no tab. */
export function AccountPage() {
  const { t } = useLingui();
  const { account, person } = useAnySession();
  const { tab } = useSearch({ strict: false }) as { tab?: TabId };
  const navigate = useNavigate();
  const tabs = useTabs();
  const open = tabs.find(({ id }) => id === tab)?.id ?? 'you';
  return (
    <Page
      title={t`Account`}
      about={account === null ? person.email : `${person.email} · ${account.name || account.id}`}
    >
      <Tabs
        label={t`Account`}
        value={open}
        onValue={(next) => void navigate({ to: '/account', search: { tab: next } as never })}
        tabs={tabs}
      />
    </Page>
  );
}
