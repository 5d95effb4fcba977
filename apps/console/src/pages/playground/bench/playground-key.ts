import { useSyncExternalStore } from 'react';
import { post, remove } from '../../../api/call.js';
import type { NewKey } from '../../../api/keys.js';

/** The key lives for an hour, and only in the memory of this page. */
const LIFE_MS = 60 * 60 * 1_000;
/** A key that ends sooner is not used for another request. */
const SPARE_MS = 30_000;

export interface PlaygroundKey {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly capUsd: string;
  readonly isTest: boolean;
  readonly expiresAt: string;
  /** Of which account: another one must not use it. */
  readonly accountId: string;
}

export interface KeyWanted {
  readonly name: string;
  /** Decimal USD that it may spend in its life. */
  readonly capUsd: string;
  /** The simulator answers, for free. */
  readonly isTest: boolean;
  readonly accountId: string;
}

let current: PlaygroundKey | null = null;
let making: Promise<PlaygroundKey> | null = null;
const listeners = new Set<() => void>();

function set(key: PlaygroundKey | null): void {
  current = key;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The key in use; null: none yet, or it has ended. */
export const usePlaygroundKey = (accountId: string): PlaygroundKey | null => {
  const key = useSyncExternalStore(subscribe, () => current);
  return key?.accountId === accountId ? key : null;
};

const isUsable = (key: PlaygroundKey, { accountId, isTest, capUsd }: KeyWanted): boolean =>
  key.accountId === accountId &&
  key.isTest === isTest &&
  key.capUsd === capUsd &&
  Date.parse(key.expiresAt) - SPARE_MS > Date.now();

async function make({ name, capUsd, isTest, accountId }: KeyWanted): Promise<PlaygroundKey> {
  const made = await post<NewKey>('/account/keys', {
    name,
    test: isTest,
    expires_at: new Date(Date.now() + LIFE_MS).toISOString(),
    ...(!isTest && { spend_cap_usd: capUsd }),
  });
  const expiresAt = made.expires_at ?? new Date().toISOString();
  return { id: made.id, key: made.key, name, capUsd, isTest, accountId, expiresAt };
}

/** The API no longer takes the key: the next request makes another. */
export const forgetPlaygroundKey = (): void => set(null);

/** Ends the key now. Requests that run are not stopped by it. */
export async function revokePlaygroundKey(): Promise<void> {
  const key = current;
  set(null);
  if (key !== null) await remove(`/account/keys/${key.id}`);
}

/** A key with this cap: the one in use, or a new one in its place. Two calls at once make one key. */
export async function ensurePlaygroundKey(wanted: KeyWanted): Promise<PlaygroundKey> {
  if (current !== null && isUsable(current, wanted)) return current;
  making ??= (async () => {
    const old = current;
    const key = await make(wanted);
    set(key);
    // The list of keys must not fill with those that this page no longer uses. An ended one may be gone already.
    if (old !== null && old.accountId === wanted.accountId)
      await remove(`/account/keys/${old.id}`).catch(() => undefined);
    return key;
  })().finally(() => {
    making = null;
  });
  return making;
}

/** No other page has the key, so it ends with this one. */
addEventListener('pagehide', ({ persisted }) => {
  if (current === null || persisted) return;
  void fetch(`/account/keys/${current.id}`, { method: 'DELETE', credentials: 'same-origin', keepalive: true });
  current = null;
});
