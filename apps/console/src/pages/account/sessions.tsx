import { Trans, useLingui } from '@lingui/react/macro';
import { remove } from '../../api/call.js';
import { useRows } from '../../api/pages.js';
import type { SessionLine } from '../../api/people.js';
import { Button } from '../../parts/button.jsx';
import { ConfirmButton } from '../../parts/confirm-button.jsx';
import { Time } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';
import { browserOf } from './browser-of.js';

function SessionRow({ session }: { readonly session: SessionLine }) {
  const { t } = useLingui();
  const end = useExclusiveMutation({ mutationFn: () => remove(`/account/sessions/${session.id}`) });
  const name = browserOf(session.user_agent) ?? t`Unknown program`;
  return (
    <li className="flex items-center gap-3 border-b py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium" title={session.user_agent ?? undefined}>
            {name}
          </span>
          {session.is_current && <Tag>{t`this one`}</Tag>}
        </p>
        <p className="truncate text-muted text-small">
          {session.ip ?? t`address unknown`} · <Trans>seen</Trans> <Time at={session.last_seen_at} form="relative" /> ·{' '}
          <Trans>ends</Trans> <Time at={session.expires_at} form="relative" />
        </p>
        {end.error !== null && <Problem error={end.error} />}
      </div>
      {!session.is_current && (
        <Button
          kind="quiet"
          aria-label={t`End the session of ${name}`}
          isBusy={end.isPending}
          onClick={() => end.mutate()}
        >
          <Trans>End</Trans>
        </Button>
      )}
    </li>
  );
}

/** Where the person is signed in. */
export function Sessions() {
  const { t } = useLingui();
  const { rows, error, retry } = useRows<SessionLine>('/account/sessions', { limit: undefined });
  const hasOthers = rows?.some(({ is_current: isCurrent }) => !isCurrent) === true;
  return (
    <Section
      title={t`Sessions`}
      about={<Trans>Where you are signed in. One that you do not know: end it, and change your password.</Trans>}
      action={
        hasOthers && (
          <ConfirmButton
            label={t`End all others`}
            title={t`End all other sessions?`}
            action={t`End them`}
            run={() => remove('/account/sessions')}
          >
            <p>
              <Trans>Every other browser and program has to sign in again. This session stays.</Trans>
            </p>
          </ConfirmButton>
        )
      }
    >
      {error !== null && <Problem error={error} onRetry={retry} />}
      {rows === undefined && error === null && <Skeleton rows={2} />}
      <ul aria-label={t`Sessions`}>
        {rows?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  );
}
