import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from './start-system.mjs';

/** Shorter than `preStop` in `infra/k8s`, since this balancer reacts at once. */
const PRE_STOP_MS = 1_000;
/** Time after the grace period before SIGKILL. */
const ROOM_TO_EXIT_MS = 5_000;
/** Pause between two kills, so that each failure is counted with its cause. */
const AFTER_CRASH_MS = 5_000;

/** Replaces one process: removes it from the balancer, stops it, starts the new build, and adds it again. */
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

/** Kills one process and starts it again. The balancer notices through its probes. */
async function crash(instance) {
  await instance.kill();
  await instance.start();
  await sleep(AFTER_CRASH_MS);
  return { exit: 'killed', isForced: true, drainedMs: 0 };
}

/**
 * Replaces every process, one after the other, service by service. With `isBack` the order is reversed. `root` is the
 * project of the new build; without it the build stays. With `isKill` each process gets SIGKILL. Returns their exits.
 */
export async function rollOut({ instances, balancers }, { name, root, isBack, isKill, graceMs, note, signal, tally }) {
  const ends = [];
  for (const service of isBack ? SERVICES.toReversed() : SERVICES) {
    for (const instance of instances.filter((each) => each.service === service)) {
      signal.throwIfAborted();
      note(instance.name);
      tally.moment = `${name}, ${instance.name}`;
      const change = isKill ? crash(instance) : replace(instance, { balancer: balancers[service], root, graceMs });
      ends.push({ name: instance.name, service, ...(await change) });
    }
  }
  return ends;
}
