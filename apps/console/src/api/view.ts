import { remove } from './call.js';

/** A look at an account begins or ends in all tabs at once: none may show one account under the name of another. */
const CHANNEL = 'account-view';

/** This tab goes elsewhere by itself. Its own channel receives what it posts. */
let isLeaving = false;

/** Loads the page anew, and those of the other tabs. */
export function startOver(address: string): void {
  isLeaving = true;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
  location.assign(address);
}

/** Reloads this tab when another one begins or ends a look. Returns what stops it. */
export function followViews(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => {
    if (!isLeaving) location.reload();
  };
  return () => channel.close();
}

export async function endView(accountId: string): Promise<void> {
  await remove('/admin/account-views/current');
  startOver(`/console/operator/accounts?open=${accountId}`);
}
