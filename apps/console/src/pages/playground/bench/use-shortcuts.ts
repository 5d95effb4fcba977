import { useEffect, useRef } from 'react';

interface Shortcuts {
  readonly send: () => void;
  readonly stop: () => void;
  readonly isRunning: boolean;
}

/** What has the keys for itself. A toast is a dialog, too, but one beside the page. */
const OPEN = '[role="dialog"]:not([aria-modal="false"]), [data-popup-open]';

/** Ctrl or ⌘ with Enter sends, Escape stops. An open dialog or list has the keys for itself. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { send, stop, isRunning } = latest.current;
      if (document.querySelector(OPEN) !== null) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        send();
      } else if (event.key === 'Escape' && isRunning) stop();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
