import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { get, post } from '../../api/call.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { Dialog, DialogActions } from '../../parts/dialog.jsx';
import { Time } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { SecretText } from '../../parts/secret-text.jsx';
import { Select } from '../../parts/select.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';
import { useExclusiveMutation } from '../../parts/use-exclusive-mutation.js';

interface Secret {
  readonly id: string;
  readonly created_at: string;
  /** Null: the current one. */
  readonly expires_at: string | null;
}

interface Rotated {
  readonly secret: string;
  readonly previous_expires_at: string | null;
}

const GRACE_SECONDS = ['0', '3600', '86400', '604800'] as const;

function ShownOnce({ rotated, onDone }: { readonly rotated: Rotated; readonly onDone: () => void }) {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-3">
      <p>
        <Trans>Every delivery is signed with it. Copy it now: it is not shown again.</Trans>
      </p>
      <SecretText text={rotated.secret} copyLabel={t`Copy the secret`} />
      {rotated.previous_expires_at !== null && (
        <p className="text-muted">
          <Trans>
            The old one signs beside it until <Time at={rotated.previous_expires_at} form="exact" />.
          </Trans>
        </p>
      )}
      <DialogActions>
        <Button kind="filled" onClick={onDone}>
          <Trans>Done</Trans>
        </Button>
      </DialogActions>
    </div>
  );
}

function RotateDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const [grace, setGrace] = useState<(typeof GRACE_SECONDS)[number]>('86400');
  const rotate = useExclusiveMutation({
    mutationFn: () => post<Rotated>('/account/webhook-secret/rotate', { grace_seconds: Number(grace) }),
  });
  const close = () => {
    // The new secret is on its way, and is shown only here.
    if (rotate.isPending) return;
    rotate.reset();
    onClose();
  };
  const words = { 0: t`At once`, 3600: t`In an hour`, 86400: t`In a day`, 604800: t`In a week` };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={t`Replace the signing secret`}
      isShownOnce={rotate.data !== undefined}
    >
      {rotate.data === undefined ? (
        <>
          <div className="flex flex-col gap-4">
            <p>
              <Trans>Until the old secret ends, both sign each delivery, so that your servers can change over.</Trans>
            </p>
            <Select
              label={t`The old secret ends`}
              value={grace}
              onValue={setGrace}
              choices={GRACE_SECONDS.map((value) => ({ value, label: words[value] }))}
            />
            {rotate.error !== null && <Problem error={rotate.error} />}
          </div>
          <DialogActions>
            <Button onClick={close}>
              <Trans>Leave it</Trans>
            </Button>
            <Button kind="filled" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
              <Trans>Replace the secret</Trans>
            </Button>
          </DialogActions>
        </>
      ) : (
        <ShownOnce rotated={rotate.data} onDone={close} />
      )}
    </Dialog>
  );
}

function SigningSecret() {
  const { t } = useLingui();
  const [isRotating, setIsRotating] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook-secret'],
    queryFn: ({ signal }) => get<{ readonly data: readonly Secret[] }>('/account/webhook-secret', {}, signal),
  });
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={1} />;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <ul className="flex flex-col gap-1">
        {data.data.length === 0 && <li className="text-muted">{t`The first endpoint brings the first secret.`}</li>}
        {data.data.map((secret) => (
          <li key={secret.id}>
            {secret.expires_at === null ? (
              <Trans>
                The current secret was made <Time at={secret.created_at} form="relative" />.
              </Trans>
            ) : (
              <Trans>
                A former secret ends <Time at={secret.expires_at} form="relative" />.
              </Trans>
            )}
          </li>
        ))}
      </ul>
      <Button onClick={() => setIsRotating(true)}>
        <RefreshCw aria-hidden />
        <Trans>Replace the secret</Trans>
      </Button>
      <RotateDialog isOpen={isRotating} onClose={() => setIsRotating(false)} />
    </div>
  );
}

/** The secrets that sign deliveries: their age, and their replacement. */
export function SigningSecretSection() {
  const { t } = useLingui();
  const mayDevelop = useMay('developer');
  if (!mayDevelop) return null;
  return (
    <Section title={t`Signing secret`} about={<Trans>Your servers check each delivery with it.</Trans>}>
      <SigningSecret />
    </Section>
  );
}
