import { useEffect, useRef } from 'react';

interface Shortcuts {
  readonly send: () => void;
  readonly stop: () => void;
  readonly isRunning: boolean;
}

/** Ctrl or ⌘ with Enter sends, Escape stops. An open dialog or list has the keys for itself. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { send, stop, isRunning } = latest.current;
      if (document.querySelector('[role="dialog"], [data-popup-open]') !== null) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        send();
      } else if (event.key === 'Escape' && isRunning) stop();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
