import type { BilledVideo } from './billed-video.js';
import { contradiction } from './contradictions.js';

/** Older models read flags in the prompt, such as `--rs 1080p --dur 10`. */
const FLAG = /--(resolution|rs|duration|dur|frames|framespersecond|fps)(?![a-z])[\s=:]*([^\s-]\S*|-\d+)?/giu;

type Check = (value: string, billed: BilledVideo) => boolean;

const isLength: Check = (value, { durationSeconds }) => Number(value) === durationSeconds;
const isResolution: Check = (value, { resolution }) => value.toLowerCase() === resolution;

const CHECKS: Readonly<Record<string, readonly ['duration' | 'resolution', Check]>> = {
  duration: ['duration', isLength],
  dur: ['duration', isLength],
  frames: ['duration', (value, { durationSeconds }) => Math.ceil(Number(value) / 24) === durationSeconds],
  framespersecond: ['duration', (value) => value === '24'],
  fps: ['duration', (value) => value === '24'],
  resolution: ['resolution', isResolution],
  rs: ['resolution', isResolution],
};

/** URLs may contain anything, and no upstream reads flags in them. */
const URL_FIELD = 'url';

/** All texts in a value, at any depth. Iterative, because a client may nest as deep as it likes. */
function* textsIn(value: unknown): Generator<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, inside] of Object.entries(next)) if (key !== URL_FIELD) open.push(inside);
  }
}

/** Throws a 400 for a flag that contradicts what is billed. */
export function rejectContradictingFlags(value: unknown, path: string, billed: BilledVideo): void {
  for (const text of textsIn(value)) {
    for (const [flag, name = '', given = ''] of text.matchAll(FLAG)) {
      const check = CHECKS[name.toLowerCase()];
      if (check === undefined || check[1](given, billed)) continue;
      const [billedBy] = check;
      throw contradiction(path, flag, billedBy, billedBy === 'duration' ? billed.durationSeconds : billed.resolution);
    }
  }
}
