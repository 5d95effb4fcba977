import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/**
 * Starts an attack in a process of its own, so that it does not slow the victim's client. It gets the processor time that
 * others leave: a real attacker has a machine of his own. `stop` resolves to its statuses.
 */
export function startAttack(name, target) {
  const child = fork(new URL('run-attack.mjs', import.meta.url));
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.send({ name, target });
  return {
    async stop() {
      const statuses = once(child, 'message');
      child.send('stop');
      return (await statuses)[0];
    },
  };
}
