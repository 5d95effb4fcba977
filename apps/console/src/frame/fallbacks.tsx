import { Trans, useLingui } from '@lingui/react/macro';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
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

export function PageFailed({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  return (
    <Page title={t`The page failed to load`}>
      <Problem error={error} onRetry={reset} />
    </Page>
  );
}

export const PageLoads = () => (
  <div className="mx-auto w-full max-w-6xl px-8 py-6">
    <Skeleton rows={5} />
  </div>
);
