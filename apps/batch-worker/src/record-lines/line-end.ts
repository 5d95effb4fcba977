import type { LineOutcome } from '@gateway/contracts';

/** How one line of a batch has ended. */
export interface LineEnd {
  readonly line: number;
  readonly customId: string | null;
  readonly outcome: LineOutcome;
  readonly costNanoUsd: bigint;
  /** Absent: it has not run. */
  readonly response?: { readonly status: number; readonly requestId: string; readonly body: Buffer };
  /** Why it has not run. */
  readonly error?: { readonly code: string; readonly message: string };
}
