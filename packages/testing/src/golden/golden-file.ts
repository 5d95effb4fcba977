import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The stored text of a golden file. With UPDATE_GOLDEN=1 it becomes `text` first: review the diff. */
export function goldenFile(file: URL, text: string): string {
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
