import { createInterface } from 'node:readline/promises';

/** Asks the person at the terminal. Without a terminal there is no consent, so nothing is spent. */
export async function confirmCost(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write(`${question} No terminal: repeat with --yes.\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
