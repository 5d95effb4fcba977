/** A time as most records of the public API have it: whole Unix seconds. */
export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

export const unixSecondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : unixSeconds(milliseconds);
