import { Trans, useLingui } from '@lingui/react/macro';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { buttonClasses } from '../parts/button.jsx';
import { PartMissing } from '../parts/load-part.js';
import { Page } from '../parts/page.jsx';
import { Problem, Skeleton } from '../parts/states.jsx';

export function NotFound() {
  const { t } = useLingui();
  return (
    <Page title={t`There is no such page`} about={<Trans>The address may be old or mistyped.</Trans>}>
      <Link to="/" className={buttonClasses('filled', 'self-start')}>
        <Trans>To the overview</Trans>
      </Link>
    </Page>
  );
}

/** What failed may be the session itself, which the router reads, or a part of the page. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  const tryAgain = () => void router.invalidate().finally(reset);
  return (
    <Page title={t`The page failed to load`}>
      <Problem error={error} onRetry={tryAgain} />
    </Page>
  );
}

/** What the last loading for a missing file was for: a release that lacks it must not load the page again for ever. */
const RELOADED_FOR = 'reloaded-for';

function reloadOnce(error: unknown): void {
  if (!(error instanceof PartMissing && error.isServerThere)) return;
  const file = error.message.replace(/\?again=\d+/, '');
  if (sessionStorage.getItem(RELOADED_FOR) === file) return;
  sessionStorage.setItem(RELOADED_FOR, file);
  location.reload();
}

/** The file of a page did not come. After a release the page loads itself again, once: the person has left the former one. */
export function PageMissing({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useLingui();
  useEffect(() => reloadOnce(error), [error]);
  return (
    <Page title={t`The page failed to load`}>
      <Problem error={error} onRetry={onRetry} />
    </Page>
  );
}

export const PageLoads = () => (
  <div className="mx-auto w-full max-w-6xl px-8 py-6">
    <Skeleton rows={5} />
  </div>
);
