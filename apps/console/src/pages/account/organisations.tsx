import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { chooseOrganisation } from '../../api/people.js';
import { type AnySession, useAnySession } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { Section } from '../../parts/page.jsx';
import { useRoleWords } from '../../parts/role-words.js';
import { Empty, Problem } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { LeaveOrganisation } from './leave-organisation.jsx';
import { NewOrganisationDialog } from './new-organisation-dialog.jsx';

type Membership = AnySession['accounts'][number];

function OrganisationRow({ membership }: { readonly membership: Membership }) {
  const { t } = useLingui();
  const roles = useRoleWords();
  const navigate = useNavigate();
  const { account } = useAnySession();
  const choose = useExclusiveMutation({
    mutationFn: () => chooseOrganisation(membership.id),
    onSuccess: () => navigate({ to: '/' }),
  });
  const isChosen = membership.id === account?.id;
  const name = membership.name || (isChosen ? t`Your organisation` : membership.id);
  return (
    <li className="flex items-center gap-3 border-b py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {isChosen && <Tag>{t`works here`}</Tag>}
        </p>
        <p className="text-muted text-small">{roles[membership.role].name}</p>
        {choose.error !== null && <Problem error={choose.error} />}
      </div>
      {isChosen ? (
        <LeaveOrganisation name={name} />
      ) : (
        <Button aria-label={t`Work in ${name}`} isBusy={choose.isPending} onClick={() => choose.mutate()}>
          <Trans>Work here</Trans>
        </Button>
      )}
    </li>
  );
}

/** The organisations of the person. The session works in one of them. */
export function Organisations() {
  const { t } = useLingui();
  const { accounts } = useAnySession();
  const [isMaking, setIsMaking] = useState(false);
  return (
    <Section
      title={t`Your organisations`}
      about={<Trans>Each has its own balance, keys and members.</Trans>}
      action={
        <Button onClick={() => setIsMaking(true)}>
          <Plus aria-hidden />
          <Trans>New organisation</Trans>
        </Button>
      }
    >
      {accounts.length === 0 && (
        <Empty
          title={t`You belong to no organisation`}
          next={<Trans>Create one, or open the link of an invitation.</Trans>}
        />
      )}
      <ul aria-label={t`Your organisations`}>
        {accounts.map((membership) => (
          <OrganisationRow key={membership.id} membership={membership} />
        ))}
      </ul>
      <NewOrganisationDialog isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </Section>
  );
}
