import { Trans } from '@lingui/react/macro';
import { Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/button.jsx';
import { type Recording, startRecording } from './record.js';

interface RecordButtonProps {
  readonly onFile: (file: File) => void;
}

const SECOND_MS = 1_000;

/** `0:07`: how long the recording is. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const beganMs = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - beganMs) / SECOND_MS)), SECOND_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="figures text-muted">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}

/** Records speech for the message. Leaving the page discards it, and the microphone is free again. */
export function RecordButton({ onFile }: RecordButtonProps) {
  const page = useRef(new AbortController());
  const recording = useRef<Recording | null>(null);
  const [state, setState] = useState<'idle' | 'asking' | 'recording' | 'refused'>('idle');
  useEffect(() => {
    const left = new AbortController();
    page.current = left;
    return () => left.abort();
  }, []);
  const start = async () => {
    setState('asking');
    try {
      recording.current = await startRecording(page.current.signal);
      setState('recording');
    } catch {
      setState('refused');
    }
  };
  const finish = async () => {
    const current = recording.current;
    recording.current = null;
    setState('idle');
    if (current === null) return;
    try {
      onFile(await current.finish());
    } catch {
      setState('refused');
    }
  };
  return (
    <>
      {state === 'recording' ? (
        <Button onClick={() => void finish()}>
          <Square aria-hidden className="text-failed" />
          <Trans>End the recording</Trans> <Elapsed />
        </Button>
      ) : (
        <Button isBusy={state === 'asking'} onClick={() => void start()}>
          <Mic aria-hidden />
          <Trans>Record</Trans>
        </Button>
      )}
      {state === 'refused' && (
        <span role="alert" className="text-failed">
          <Trans>No sound came from the microphone. Allow it in the browser, or add a file.</Trans>
        </span>
      )}
    </>
  );
}
