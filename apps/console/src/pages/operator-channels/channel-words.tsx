import { useLingui } from '@lingui/react/macro';
import type { Channel } from '../../api/operators.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<Channel['health'], Meaning>> = {
  healthy: 'succeeded',
  degraded: 'warned',
  down: 'failed',
  unknown: 'waiting',
};

export function useHealthWords(): Readonly<Record<Channel['health'], string>> {
  const { t } = useLingui();
  return { healthy: t`Healthy`, degraded: t`Degraded`, down: t`Down`, unknown: t`Unknown` };
}

export function useStateWords(): Readonly<Record<Channel['state'], string>> {
  const { t } = useLingui();
  return { active: t`Active`, draining: t`Draining`, paused: t`Paused` };
}

export function Health({ health }: Pick<Channel, 'health'>) {
  const words = useHealthWords();
  return <Status meaning={MEANINGS[health]}>{words[health]}</Status>;
}

/** What is set. While a worker does not follow yet, it says so. */
export function StateOfChannel({ channel }: { readonly channel: Pick<Channel, 'state' | 'is_applied'> }) {
  const { t } = useLingui();
  const words = useStateWords();
  if (!channel.is_applied) return <Status meaning="running">{t`Changing…`}</Status>;
  return <Status meaning={channel.state === 'active' ? 'succeeded' : 'warned'}>{words[channel.state]}</Status>;
}
