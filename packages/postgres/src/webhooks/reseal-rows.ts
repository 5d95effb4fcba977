import { isSealBroken, type SecretSeal } from './secret-seal.js';

export interface ResealResult {
  readonly resealed: number;
  /** Rows that no configured key opens: they are of no use until their key is back. */
  readonly broken: number;
}

interface SealedRow {
  /** Its place in the table. */
  readonly id: string;
  readonly accountId: string;
  readonly sealed: string;
}

interface SealedTable {
  /** The next rows after `afterId`, by their id, that another key than the current one has sealed. */
  page(afterId: string, limit: number): Promise<readonly SealedRow[]>;
  /** Returns the number of rows that it changed: 0 if the row has changed meanwhile. */
  replace(row: SealedRow, sealed: string): Promise<number>;
}

const BATCH = 500;

/** Seals rows with the current key, page by page. Several processes may run it at once. */
export async function resealRows(seal: SecretSeal, { page, replace }: SealedTable): Promise<ResealResult> {
  let [resealed, broken, after] = [0, 0, ''];
  for (;;) {
    const rows = await page(after, BATCH);
    for (const row of rows) {
      const sealed = sealedAgain(row, seal);
      if (sealed === null) broken += 1;
      else resealed += await replace(row, sealed);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { resealed, broken };
    after = last.id;
  }
}

/** Null: no configured key opens it. */
function sealedAgain({ sealed, accountId }: SealedRow, seal: SecretSeal): string | null {
  try {
    return seal.seal(seal.open(sealed, accountId), accountId);
  } catch (error) {
    if (isSealBroken(error)) return null;
    throw error;
  }
}
