import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts a server that does nothing, for the attacker's client. `paced` resolves to its address. */
export function startBareServer() {
  const child = fork(new URL('bare-server.mjs', import.meta.url));
  return {
    async paced(perSecond) {
      const port = once(child, 'message');
      child.send({ perSecond });
      return `http://127.0.0.1:${(await port)[0]}`;
    },
    stop: () => child.kill(),
  };
}
