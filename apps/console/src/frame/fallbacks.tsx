import { Trans, useLingui } from '@lingui/react/macro';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { buttonClasses } from '../parts/button.jsx';
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

export const PageLoads = () => (
  <div className="mx-auto w-full max-w-6xl px-8 py-6">
    <Skeleton rows={5} />
  </div>
);
