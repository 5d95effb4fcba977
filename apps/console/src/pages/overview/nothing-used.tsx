import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.js';
import { buttonClasses } from '../../parts/button.jsx';
import { Empty } from '../../parts/states.jsx';

/** Before the first request of the days shown. */
export function NothingUsed() {
  const { t } = useLingui();
  const mayCall = useMay('developer');
  return (
    <Empty
      title={t`Nothing was used in this time`}
      next={<Trans>What each model, key or member costs appears here with the first request.</Trans>}
      action={
        mayCall && (
          <Link to="/first-call" className={buttonClasses('plain', 'mt-2')}>
            <Trans>Make the first call</Trans>
          </Link>
        )
      }
    />
  );
}
