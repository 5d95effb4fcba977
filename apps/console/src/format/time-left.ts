export interface Pace {
  /** Unix milliseconds; null: the work has not begun. */
  readonly beganAtMs: number | null;
  /** How long such work usually takes; null: not known yet. */
  readonly usualMs: number | null;
  readonly nowMs: number;
}

export interface TimeLeft {
  readonly elapsedMs: number;
  /** Null: not known, or it takes longer than usual. */
  readonly leftMs: number | null;
  /** The part of the usual time that is over, from 0 to 1. Null: the usual time is not known, or over. */
  readonly share: number | null;
  readonly isLate: boolean;
}

/** How long work still takes if it takes as long as usual. */
export function timeLeft({ beganAtMs, usualMs, nowMs }: Pace): TimeLeft {
  const elapsedMs = beganAtMs === null ? 0 : Math.max(0, nowMs - beganAtMs);
  if (usualMs === null || usualMs <= 0) return { elapsedMs, leftMs: null, share: null, isLate: false };
  const leftMs = usualMs - elapsedMs;
  return {
    elapsedMs,
    leftMs: leftMs > 0 ? leftMs : null,
    share: leftMs > 0 ? elapsedMs / usualMs : null,
    isLate: leftMs <= 0,
  };
}
