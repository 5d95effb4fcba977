import { Plural, useLingui } from '@lingui/react/macro';
import type { OwnedEndpoint } from '../../api/operators.js';
import { Status } from '../../parts/status.jsx';

export function EndpointState({ endpoint }: { readonly endpoint: OwnedEndpoint }) {
  const { t } = useLingui();
  const { enabled, consecutive_failures: failures } = endpoint;
  if (!enabled) return <Status meaning="ended">{t`Disabled`}</Status>;
  if (failures === 0) return <Status meaning="succeeded">{t`Healthy`}</Status>;
  return (
    <Status meaning="failed">
      <Plural value={failures} one="# failure" other="# failures" />
    </Status>
  );
}
