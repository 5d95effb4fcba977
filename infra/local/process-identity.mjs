import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Field 22 of /proc/<pid>/stat, counted after the command's closing bracket: the start time in clock ticks. */
function linuxIdentity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function otherIdentity(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The start time of the process with this id, as text; undefined without such a process. A stored pid counts only
 * together with it, since the system reuses numbers.
 */
export const identityOf = (pid) => (process.platform === 'linux' ? linuxIdentity(pid) : otherIdentity(pid));

export const isSameProcess = ({ pid, identity }) => identity !== undefined && identityOf(pid) === identity;
