import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns field 22 of /proc/<pid>/stat, the start time in clock ticks. The command may contain spaces and brackets. */
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
 * Returns the start time of the process as text, or undefined if no such process runs. The system reuses pids, so a
 * stored pid is valid only together with its start time.
 */
export const identityOf = (pid) => (process.platform === 'linux' ? linuxIdentity(pid) : otherIdentity(pid));

export const isSameProcess = ({ pid, identity }) => identity !== undefined && identityOf(pid) === identity;
