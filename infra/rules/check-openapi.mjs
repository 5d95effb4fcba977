import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges } from './openapi/breaking-changes.mjs';

/*
 * A change of `docs/openapi` must not break a client of the last release: what it sends is still accepted, and what it
 * reads is still there. Before the first release the documents are compared with those of the main branch.
 */

const DOCUMENTS = ['docs/openapi/public.json', 'docs/openapi/accounts.json'];
const MAIN_BRANCHES = ['origin/main', 'main'];

const git = (...args) => {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 27,
    }).trim();
  } catch {
    return undefined;
  }
};

/** The newest release, else the commit at which this branch left main. Undefined outside a Git checkout. */
function lastRelease() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  return tag ?? MAIN_BRANCHES.map((branch) => git('merge-base', 'HEAD', branch)).find((commit) => commit !== undefined);
}

if (process.argv[1] === import.meta.filename) {
  const release = lastRelease();
  for (const file of DOCUMENTS) {
    const before = release === undefined ? undefined : git('show', `${release}:${file}`);
    const path = join(process.cwd(), file);
    if (before === undefined || !existsSync(path)) continue;
    for (const change of breakingChanges(JSON.parse(before), JSON.parse(readFileSync(path, 'utf8')))) {
      process.stdout.write(`${file}: ${change}\n`);
      process.exitCode = 1;
    }
  }
}
