import { existsSync } from 'node:fs';
import { documentFile, documentPath } from './document-files.js';

const NAME = /^[a-z0-9-]{1,64}$/;

/** The Markdown of a runbook by the name of its file. Null: there is none. */
export function runbook(name: string): string | null {
  const path = `runbooks/${name}.md`;
  return NAME.test(name) && existsSync(documentPath(path)) ? documentFile(path) : null;
}
