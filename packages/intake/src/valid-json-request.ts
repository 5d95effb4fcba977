import type { AbortContract, Changes } from '@gateway/contracts';
import type { WorstCase } from './hold-range.js';

/** What admission needs of a valid request with a JSON body. */
export interface ValidJsonRequest extends WorstCase {
  readonly isStream: boolean;
  /** What happens when the client leaves. */
  readonly abortContract: AbortContract;
  /** An image request that edits the images that its body has. */
  readonly hasReferences?: true;
  /** What validation changed in the request. The edge reports it to the client. */
  readonly changes?: Changes;
  /** The body for the worker, where it is not the client's. */
  readonly rewritten?: Record<string, unknown>;
}
