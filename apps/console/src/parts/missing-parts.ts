import { useSyncExternalStore } from 'react';

/** Loads a part of the page again. */
type Retry = () => void;

let missing: readonly Retry[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Retry[]): void {
  missing = next;
  for (const listener of listeners) listener();
}

/** One more part of the page did not come. Returns what takes it off the list. */
export function addMissing(retry: Retry): () => void {
  set([...missing, retry]);
  return () => set(missing.filter((other) => other !== retry));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What loads each missing part of the page again. */
export const useMissingParts = (): readonly Retry[] => useSyncExternalStore(subscribe, () => missing);
