import { useSyncExternalStore } from 'react';
import type { Connection } from './follow-events.js';

/** Of all streams of the page together: lost if one of them is. */
export interface ConnectionState {
  readonly connection: Connection;
  /** When the connection was lost. Null: it is not. */
  readonly lostAt: string | null;
}

interface Stream {
  readonly connection: Connection;
  readonly at: string;
}

const streams = new Map<symbol, Stream>();
const listeners = new Set<() => void>();
let state: ConnectionState | null = null;

function summarize(): ConnectionState | null {
  const all = [...streams.values()];
  const lostAt = all.filter(({ connection }) => connection === 'lost').map(({ at }) => at);
  if (all.length === 0) return null;
  if (lostAt.length > 0) return { connection: 'lost', lostAt: lostAt.sort()[0] ?? null };
  const isLive = all.every(({ connection }) => connection === 'live');
  return { connection: isLive ? 'live' : 'connecting', lostAt: null };
}

function publish(): void {
  state = summarize();
  for (const listener of listeners) listener();
}

/** One more stream of the page. */
export function addStream() {
  const id = Symbol('stream');
  return {
    set(connection: Connection) {
      if (streams.get(id)?.connection === connection) return;
      streams.set(id, { connection, at: new Date().toISOString() });
      publish();
    },
    remove() {
      streams.delete(id);
      publish();
    },
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether what the page shows changes by itself. Null: nothing on it is followed. */
export const useConnection = (): ConnectionState | null => useSyncExternalStore(subscribe, () => state);
