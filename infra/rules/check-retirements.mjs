import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The only check that depends on today's date: a model past its end that no successor serves is refused to every client.
 * It reads the golden file, so it needs no build.
 */

const CATALOGUE = 'packages/catalogue/golden/catalogue.txt';

/** `  retires 2026-12-01: refused, nearest gp-image-2`, below the line that begins with the model's id. */
const RETIREMENT = /^ {2}retires (\d{4}-\d\d-\d\d): refused/;

/** One sentence for each model that has ended without a successor on this ISO day. */
export function faultsOfRetirements(catalogue, today) {
  const faults = [];
  let id;
  for (const line of catalogue.split('\n')) {
    if (!line.startsWith(' ')) id = line.split(' ', 1)[0];
    const day = RETIREMENT.exec(line)?.[1];
    if (day === undefined || day > today) continue;
    faults.push(`${id} ended on ${day}: name a successor, or move its names to families/retired-names.ts`);
  }
  return faults;
}

if (process.argv[1] === import.meta.filename) {
  const catalogue = readFileSync(join(process.cwd(), CATALOGUE), 'utf8');
  const faults = faultsOfRetirements(catalogue, new Date().toISOString().slice(0, 10));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
