import { Trans, useLingui } from '@lingui/react/macro';
import { post, remove } from '../../api/call.js';
import { useRows } from '../../api/pages.js';
import type { Invitation } from '../../api/people.js';
import { Button } from '../../parts/button.jsx';
import { Time } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { useRoleWords } from '../../parts/role-words.js';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { useToast } from '../../parts/toasts.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';

function InvitationState({ invitation }: { readonly invitation: Invitation }) {
  const { t } = useLingui();
  if (invitation.state === 'expired') return <Status meaning="ended">{t`Expired`}</Status>;
  if (invitation.sent_at === null) return <Status meaning="running">{t`Being sent`}</Status>;
  return <Status meaning="waiting">{t`Not opened yet`}</Status>;
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { t } = useLingui();
  const toast = useToast();
  const roles = useRoleWords();
  const { id, email } = invitation;
  const resend = useExclusiveMutation({
    mutationFn: () => post(`/account/invitations/${id}/resend`),
    onSuccess: () => toast({ title: t`The mail is on its way`, description: email }),
  });
  const withdraw = useExclusiveMutation({ mutationFn: () => remove(`/account/invitations/${id}`) });
  const error = resend.error ?? withdraw.error;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b py-2 last:border-0">
      <div className="min-w-48 flex-1">
        <p className="truncate font-medium">{email}</p>
        <p className="text-muted text-small">
          {roles[invitation.role].name} · <Trans>ends</Trans> <Time at={invitation.expires_at} form="relative" />
        </p>
      </div>
      <InvitationState invitation={invitation} />
      <Button aria-label={t`Send again to ${email}`} isBusy={resend.isPending} onClick={() => resend.mutate()}>
        <Trans>Send again</Trans>
      </Button>
      <Button
        kind="danger"
        aria-label={t`Withdraw the invitation of ${email}`}
        isBusy={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        <Trans>Withdraw</Trans>
      </Button>
      {error !== null && (
        <div className="basis-full">
          <Problem error={error} />
        </div>
      )}
    </li>
  );
}

/** Who is asked to join, and has not joined yet. */
export function Invitations() {
  const { t } = useLingui();
  const { rows, error, retry } = useRows<Invitation>('/account/invitations', { limit: undefined });
  const open = rows?.filter(({ state }) => state === 'pending' || state === 'expired');
  if (open?.length === 0) return null;
  return (
    <Section title={t`Invitations`}>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {open === undefined && error === null && <Skeleton rows={2} />}
      <ul aria-label={t`Invitations`}>
        {open?.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}
