import { useLingui } from '@lingui/react/macro';
import { type Meaning, Status } from '../../parts/status.jsx';

/** What the worker records of an open task. A customer sees all but `running` as queued. */
type OpenState = 'submitting' | 'submit_unknown' | 'queued' | 'running';

const MEANINGS: Readonly<Record<OpenState, Meaning>> = {
  submitting: 'waiting',
  submit_unknown: 'warned',
  queued: 'waiting',
  running: 'running',
};

const isKnown = (state: string): state is OpenState => Object.hasOwn(MEANINGS, state);

/** How far an open task is. A state of a later release shows as it is. */
export function OpenTaskState({ state }: { readonly state: string }) {
  const { t } = useLingui();
  if (!isKnown(state)) return state;
  const words: Readonly<Record<OpenState, string>> = {
    submitting: t`Submitting`,
    submit_unknown: t`Submission unknown`,
    queued: t`Queued`,
    running: t`Running`,
  };
  return <Status meaning={MEANINGS[state]}>{words[state]}</Status>;
}
