/** A task record in the upstream's format. */
export type NativeTaskRecord = Readonly<Record<string, unknown>>;

/**
 * The upstream's response to a poll, read by its protocol. Times are Unix milliseconds, if the upstream reports them.
 * - `unknown`: the upstream has no such task, at all or any more. That alone does not prove that it never ran.
 * - `no_video`: the task has succeeded, but the upstream reports no address of the video, or not yet.
 * - `failed`, `cancelled`, `expired`: `code` and `message` come from the upstream.
 */
export type TaskReading =
  | {
      readonly state: 'queued' | 'running';
      readonly progress?: number;
      readonly startedAtMs?: number;
      readonly native: NativeTaskRecord;
    }
  | {
      readonly state: 'succeeded';
      readonly videoUrl: string;
      readonly lastFrameUrl?: string;
      /** Seconds of generated video, if the upstream reports them; may be a fraction. */
      readonly outputSeconds?: number;
      /** Seconds of input videos that the upstream bills, if it reports them; may be a fraction. */
      readonly inputSeconds?: number;
      readonly usage: Readonly<Record<string, unknown>>;
      /** Fields of `usage` that may be billed and have no price here. */
      readonly unpriced?: readonly string[];
      readonly seed?: number;
      /** What the upstream bills for the task, in nano-USD as decimal digits, if it reports that. */
      readonly vendorCostNanoUsd?: string;
      readonly startedAtMs?: number;
      readonly endedAtMs?: number;
      readonly native: NativeTaskRecord;
    }
  | {
      readonly state: 'failed' | 'cancelled' | 'expired';
      readonly code: string;
      readonly message: string;
      /** True if the upstream made the video and kept it back for what it shows. */
      readonly isModerated?: true;
      readonly vendorCostNanoUsd?: string;
      readonly startedAtMs?: number;
      readonly endedAtMs?: number;
      readonly native: NativeTaskRecord;
    }
  | { readonly state: 'unknown'; readonly native: NativeTaskRecord }
  | { readonly state: 'no_video'; readonly native: NativeTaskRecord };
