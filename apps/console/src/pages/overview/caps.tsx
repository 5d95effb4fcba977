import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { accountSettingsQuery } from '../../api/account-settings.js';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import { useMay } from '../../api/session.js';
import { CapLines, type OwnedCap, shareOf } from '../../parts/cap-lines.jsx';
import { Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

const SHOWN = 6;

const OrganisationCaps = ({ more }: { readonly more: readonly OwnedCap[] }) => {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(accountSettingsQuery);
  if (data === undefined)
    return error === null ? <Skeleton rows={2} /> : <Problem error={error} onRetry={() => void refetch()} />;
  const own = data.caps.map((cap): OwnedCap => ({ cap, owner: t`Organisation` }));
  const nearest = [...own, ...more].sort((one, other) => shareOf(other.cap) - shareOf(one.cap)).slice(0, SHOWN);
  if (nearest.length === 0) return null;
  return (
    <Section title={t`Caps`} about={<Trans>The nearest first. What running requests may cost counts, too.</Trans>}>
      <CapLines label={t`What is used of the caps`} caps={nearest} />
    </Section>
  );
};

function WithKeys() {
  const { rows: keys = [] } = useRows<ApiKey>('/account/keys', { limit: undefined });
  const ofKeys = keys.flatMap(({ id, name, caps }) =>
    caps.map((cap): OwnedCap => ({ cap, owner: name ?? id, ownerId: id })),
  );
  return <OrganisationCaps more={ofKeys} />;
}

/** The caps that are nearest to their limit: of the organisation, and of the keys that the person manages. */
export const Caps = () => (useMay('developer') ? <WithKeys /> : <OrganisationCaps more={[]} />);
