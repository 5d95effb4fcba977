import { Trans } from '@lingui/react/macro';
import { Code, Send, Square } from 'lucide-react';
import { Button } from '../../../parts/button.jsx';

interface ComposeBarProps {
  readonly isReady: boolean;
  readonly hasCode: boolean;
  readonly isRunning: boolean;
  readonly hasResults: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onClear: () => void;
  readonly onCode: () => void;
}

/** Send, or stop what runs; the code of the request; an empty page again. */
export const ComposeBar = (props: ComposeBarProps) => (
  <div className="flex flex-wrap items-center gap-2">
    {props.isRunning ? (
      <Button kind="filled" onClick={props.onStop}>
        <Square aria-hidden />
        <Trans>Stop</Trans>
      </Button>
    ) : (
      <Button kind="filled" disabled={!props.isReady} onClick={props.onSend}>
        <Send aria-hidden />
        <Trans>Send</Trans>
      </Button>
    )}
    <Button disabled={!props.hasCode} onClick={props.onCode}>
      <Code aria-hidden />
      <Trans>Code</Trans>
    </Button>
    {props.hasResults && (
      <Button kind="quiet" onClick={props.onClear}>
        <Trans>Clear</Trans>
      </Button>
    )}
  </div>
);
