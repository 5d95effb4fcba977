import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from './start-system.mjs';

/** As `preStop` in `infra/k8s`, in small: here the balancer knows at once. */
const PRE_STOP_MS = 1_000;
/** Beyond its grace a process is killed. */
const ROOM_TO_EXIT_MS = 5_000;
/** Between two that die, so that what failed is seen with the one that took it along. */
const AFTER_DEATH_MS = 5_000;

/** One pod replaced by one of another build: no more connections, SIGTERM, gone, started, ready, connections again. */
async function replace(instance, { balancer, root, graceMs }) {
  balancer?.announceStop(instance.name);
  await sleep(PRE_STOP_MS);
  const stoppedAtMs = performance.now();
  const end = await instance.stop(graceMs + ROOM_TO_EXIT_MS);
  const drainedMs = performance.now() - stoppedAtMs;
  if (root !== undefined) instance.useBuild(root);
  await instance.start();
  await balancer?.announceStart(instance.name);
  return { ...end, drainedMs };
}

/** One pod that dies with all that it has in hand, and its like that comes after it. The balancer finds out by itself. */
async function lose(instance) {
  await instance.kill();
  await instance.start();
  await sleep(AFTER_DEATH_MS);
  return { exit: 'killed', isForced: true, drainedMs: 0 };
}

/**
 * Replaces every process, one after the other, service by service, or back to an older build the other way round. `root`
 * is the project whose build they run from then on; not given, they are started as they were. With `isKill` they are not asked
 * to go but die. Gives back how each of them ended.
 */
export async function rollOut({ instances, balancers }, { name, root, isBack, isKill, graceMs, note, signal, tally }) {
  const ends = [];
  for (const service of isBack ? SERVICES.toReversed() : SERVICES) {
    for (const instance of instances.filter((each) => each.service === service)) {
      signal.throwIfAborted();
      note(instance.name);
      tally.moment = `${name}, ${instance.name}`;
      const change = isKill ? lose(instance) : replace(instance, { balancer: balancers[service], root, graceMs });
      ends.push({ name: instance.name, service, ...(await change) });
    }
  }
  return ends;
}
