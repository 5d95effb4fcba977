import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from './start-system.mjs';

/** A short `preStop` of `infra/k8s`: this balancer stops routing immediately. */
const PRE_STOP_MS = 1_000;
/** A process that exceeds its grace period is killed. */
const ROOM_TO_EXIT_MS = 5_000;
/** The pause between two kills, so that failures are attributed to the right process. */
const AFTER_DEATH_MS = 5_000;

/** Replaces one pod by another build: stop routing, SIGTERM, exit, start, ready, route again. */
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

/** Kills one pod with its running work and starts its successor. The balancer detects both by itself. */
async function lose(instance) {
  await instance.kill();
  await instance.start();
  await sleep(AFTER_DEATH_MS);
  return { exit: 'killed', isForced: true, drainedMs: 0 };
}

/**
 * Replaces every process in order of services, or in reverse for an older build. `root` is the project with the new
 * build; without it, processes restart their own. `isKill` kills them instead. Returns how each process ended.
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
