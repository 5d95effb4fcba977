import type { Changes } from '@gateway/contracts';

/** A body that goes on instead of the client's, and what that changed. */
export interface Rewritten {
  readonly body: Record<string, unknown>;
  readonly changes: Changes;
}
