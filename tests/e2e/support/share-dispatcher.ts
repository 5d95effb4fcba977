import { runInThisContext } from 'node:vm';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Google's client looks for Node's HTTP dispatcher in the global object, and jest gives specs another global object. */
export const shareDispatcher = (): void => {
  // Node makes the dispatcher on first use.
  new Headers();
  Reflect.set(globalThis, DISPATCHER, Reflect.get(runInThisContext('globalThis') as object, DISPATCHER));
};
