import { ATTACKS } from './attacks.mjs';

/* The process of an attacker. Messages: `{name, target}` starts an attack, `'stop'` ends it. It replies with the statuses. */

const stop = new AbortController();

async function run({ name, target }) {
  const statuses = new Map();
  await ATTACKS[name]({ ...target, statuses, signal: stop.signal });
  process.send([...statuses], () => process.exit());
}

process.on('message', (message) => (message === 'stop' ? stop.abort() : run(message)));
