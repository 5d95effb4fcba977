import { useSyncExternalStore } from 'react';

let isPrinting = false;

function subscribe(listener: () => void): () => void {
  const set = (next: boolean) => () => {
    isPrinting = next;
    listener();
  };
  const [begin, end] = [set(true), set(false)];
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', begin);
    removeEventListener('afterprint', end);
  };
}

/** True while the browser draws the page for paper. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
