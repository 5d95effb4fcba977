/** The upstream's own record of a task. */
export type NativeTaskRecord = Readonly<Record<string, unknown>>;

/**
 * What an upstream said of a task. `unknown`: it does not know it, now or any more, which alone is no proof that it
 * never ran. `no_video`: it says that the task has succeeded, and not where the video is, or not yet. Of `failed`,
 * `cancelled` and `expired`, `code` and `message` are the upstream's words. Times are Unix milliseconds, where the upstream
 * says them.
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
      /** Seconds of video that were made, where the upstream says so; may be a fraction. */
      readonly outputSeconds?: number;
      readonly usage: Readonly<Record<string, unknown>>;
      readonly seed?: number;
      readonly startedAtMs?: number;
      readonly endedAtMs?: number;
      readonly native: NativeTaskRecord;
    }
  | {
      readonly state: 'failed' | 'cancelled' | 'expired';
      readonly code: string;
      readonly message: string;
      readonly startedAtMs?: number;
      readonly endedAtMs?: number;
      readonly native: NativeTaskRecord;
    }
  | { readonly state: 'unknown'; readonly native: NativeTaskRecord }
  | { readonly state: 'no_video'; readonly native: NativeTaskRecord };
