import { useSyncExternalStore } from 'react';

let hasEnded = false;
const listeners = new Set<() => void>();

/** The session of the page has ended, such as by a new password, or there is one again. */
export function setSessionEnded(ended: boolean): void {
  hasEnded = ended;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const hasSessionEnded = (): boolean => hasEnded;

export const useHasSessionEnded = (): boolean => useSyncExternalStore(subscribe, hasSessionEnded);
