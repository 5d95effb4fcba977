import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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

/** The program of a process. Its pages are in memory once, however many processes run it. */
function programOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return `process ${pid}`;
  }
}

/**
 * Resident bytes of the trees. Memory that processes share by design counts once, at the largest share of one process: the
 * files of each program, and PostgreSQL's buffers. All other memory counts in full for each.
 */
export function residentBytesOf(roots) {
  const files = new Map();
  let ownKiB = 0;
  let sharedKiB = 0;
  for (const pid of treeOf(roots)) {
    const status = readOf(pid, 'status');
    if (status === undefined) continue;
    const program = programOf(pid);
    files.set(program, Math.max(files.get(program) ?? 0, kibOf(status, 'RssFile')));
    ownKiB += kibOf(status, 'RssAnon');
    sharedKiB = Math.max(sharedKiB, kibOf(status, 'RssShmem'));
  }
  return ([...files.values()].reduce((sum, each) => sum + each, ownKiB) + sharedKiB) * KIB;
}
