/** Whole milliseconds from `nowMs` until `untilMs`, both of the monotonic clock, which has fractions; 0 if it is over. */
export const leftMs = (untilMs: number, nowMs: number): number => Math.max(0, Math.ceil(untilMs - nowMs));
