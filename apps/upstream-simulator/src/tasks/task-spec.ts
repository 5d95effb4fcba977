import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { Video } from '../media/video.js';

/** Why a task failed, in the vendor's words. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
}

/** What a vendor has agreed to make. Each vendor keeps with it what its own record of the task tells. */
export interface TaskSpec {
  readonly model: string;
  readonly credential: string;
  /** The host that the client called. */
  readonly host: string | undefined;
  readonly directives: Directives;
  /** In lower case, such as `720p`: what the price of a second depends on. */
  readonly resolution: string;
  /** What comes out, if it succeeds. */
  readonly video: Video;
  /** What is billed then; a task that ends in any other way is free. */
  readonly bill: InvoiceUsage;
  /** What the vendor sees only once it works on it; null if nothing is wrong. */
  readonly deferredFailure: TaskFailure | null;
  /** The vendor's words for a code; for '' its own internal error. */
  failureOf(code: string): TaskFailure;
}
