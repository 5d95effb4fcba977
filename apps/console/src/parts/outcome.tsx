import { useLingui } from '@lingui/react/macro';
import type { Outcome } from '../api/requests.js';
import { type Meaning, Status } from './status.jsx';

const MEANINGS: Readonly<Record<Outcome, Meaning>> = {
  completed: 'succeeded',
  aborted: 'warned',
  failed: 'failed',
  interrupted: 'warned',
  expired: 'failed',
  cancelled: 'ended',
};

export function useOutcomeWords(): Readonly<Record<Outcome, string>> {
  const { t } = useLingui();
  return {
    completed: t`Completed`,
    aborted: t`Left by the client`,
    failed: t`Failed`,
    interrupted: t`Interrupted`,
    expired: t`Expired`,
    cancelled: t`Cancelled`,
  };
}

interface OutcomeProps {
  readonly outcome: Outcome;
  /** True: only the icon on a narrow screen; the word is still read out. */
  readonly isShort?: boolean;
}

/** How a request ended. */
export function OutcomeStatus({ outcome, isShort = false }: OutcomeProps) {
  const words = useOutcomeWords();
  return (
    <Status meaning={MEANINGS[outcome]} isShort={isShort}>
      {words[outcome]}
    </Status>
  );
}
