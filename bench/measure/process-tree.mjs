import { readdirSync, readFileSync } from 'node:fs';

const PPID = 1;
const CPU_FIELDS = [11, 12, 13, 14];
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

const isProcess = (name) => /^\d+$/.test(name);

function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended since it was listed; its parent's account now includes its time.
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat after the command, which may contain spaces and brackets. */
function statOf(pid) {
  const stat = readOf(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The given processes and all their descendants. */
function treeOf(roots) {
  const children = new Map();
  for (const pid of readdirSync('/proc').filter(isProcess).map(Number)) {
    const parent = Number(statOf(pid)?.[PPID]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const withChildren = (pid) => [pid, ...(children.get(pid) ?? []).flatMap(withChildren)];
  return roots.flatMap(withChildren);
}

export const canMeasureProcesses = process.platform === 'linux';

/** Milliseconds of processor time of the trees since their start, ended children included. */
export function cpuMsOf(roots) {
  const ticks = treeOf(roots)
    .map(statOf)
    .filter((fields) => fields !== undefined)
    .flatMap((fields) => CPU_FIELDS.map((field) => Number(fields[field])));
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS_PER_SECOND;
}

const kibOf = (status, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);

/**
 * Resident bytes of the trees. Memory that processes share by design (PostgreSQL's buffers) counts once, at the largest
 * share of one process. All other memory counts in full for each.
 */
export function residentBytesOf(roots) {
  const statuses = treeOf(roots)
    .map((pid) => readOf(pid, 'status'))
    .filter((status) => status !== undefined);
  const own = statuses.reduce((sum, status) => sum + kibOf(status, 'RssAnon') + kibOf(status, 'RssFile'), 0);
  const shared = Math.max(0, ...statuses.map((status) => kibOf(status, 'RssShmem')));
  return (own + shared) * KIB;
}
