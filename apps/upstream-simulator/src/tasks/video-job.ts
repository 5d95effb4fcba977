import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { Video } from '../media/video.js';

/** A failure in the vendor's format. */
export type TaskFailure = Readonly<{ code: string; message: string }>;

/** An accepted task. Vendors extend it with their own fields. */
export interface VideoJob {
  readonly model: string;
  readonly credential: string;
  /** The host in the client's request. */
  readonly host: string | undefined;
  readonly directives: Directives;
  /** In lower case, such as `720p`; sets the price of a second. */
  readonly resolution: string;
  readonly video: Video;
  /** The bill of a success; other ends are free, except failures of `billedFailure`. */
  readonly bill: InvoiceUsage;
  /** The code of a failure that the vendor bills like a success. */
  readonly billedFailure?: string;
  /** An error that the vendor finds while it runs; null if none. */
  readonly deferredFailure: TaskFailure | null;
  /** The vendor's message for a code; '' is an internal error. */
  failureOf(code: string): TaskFailure;
}
