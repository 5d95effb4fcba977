import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { loadPart } from './load-part.js';
import { addMissing } from './missing-parts.js';

interface FailedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

interface Places<Props> {
  /** In place of the part until it is there. */
  readonly Waiting: ComponentType<Props>;
  /** In place of a part that did not come. Absent: `Waiting` stays, and the frame says that a part is missing. */
  readonly Failed?: ComponentType<FailedProps>;
}

interface Loaded<Props> {
  readonly Part?: ComponentType<Props>;
  readonly error?: unknown;
}

/** A component, and what loads its file before it is shown. */
export type LazyPart<Props> = ((props: Props) => ReactNode) & { readonly preload: () => Promise<void> | undefined };

/**
 * A part of the page with a file of its own, by its name there. React's `lazy` keeps a failure for ever, and takes the page away with it. Here
 * the page stays, and the file is asked for again: when the person says so, when the network is back, at the next visit.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  { Waiting, Failed }: Places<Props>,
): LazyPart<Props> {
  let loaded: Loaded<Props> = {};
  let loading: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const set = (next: Loaded<Props>) => {
    loaded = next;
    loading = undefined;
    for (const listener of listeners) listener();
  };
  const preload = () => {
    if (loaded.Part !== undefined) return undefined;
    loading ??= loadPart(load).then(
      ({ [name]: Part }) => set({ Part }),
      (error: unknown) => set({ error }),
    );
    return loading;
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const retry = () => void preload();

  function Lazy(props: Props) {
    const { Part, error } = useSyncExternalStore(subscribe, () => loaded);
    const isMissing = error !== undefined;
    useEffect(retry, []);
    useEffect(() => {
      if (!isMissing) return undefined;
      addEventListener('online', retry);
      const forget = Failed === undefined ? addMissing(retry) : undefined;
      return () => {
        removeEventListener('online', retry);
        forget?.();
      };
    }, [isMissing]);
    if (Part !== undefined) return <Part {...props} />;
    if (isMissing && Failed !== undefined) return <Failed error={error} onRetry={retry} />;
    return <Waiting {...props} />;
  }
  return Object.assign(Lazy, { preload });
}
