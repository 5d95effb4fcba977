import { useState } from 'react';

/**
 * True from the first time that `isTrue` is. A part that waits for reads must not go back to waiting: its children read
 * again what has failed, and would come and go for ever.
 */
export function useWasTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}
