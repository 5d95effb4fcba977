import type { AdmissionStore } from '../admission/admission-store.js';
import { Settler, type SettlerOptions } from './settler.js';
import { Spool } from './spool.js';

/** The settler of a service. With `spoolDirectory`, unsettled events survive the process. */
export function openSettler(
  store: AdmissionStore,
  spoolDirectory: string | undefined,
  onError: SettlerOptions['onError'],
): Settler {
  const settle: SettlerOptions['settle'] = (event) => store.settle(event);
  if (spoolDirectory === undefined) return new Settler({ settle, onError });
  return new Settler({ settle, onError, spool: new Spool(spoolDirectory) });
}
