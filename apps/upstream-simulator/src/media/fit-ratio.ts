const STEP = 16;

/** Sides of about `side` × `side` dots in all, in a ratio such as `16:9`, each a multiple of 16. */
export function fitRatio(ratio: string, side: number): { width: number; height: number } {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const stretch = Math.sqrt(across / down);
  const round = (length: number): number => Math.max(STEP, Math.round(length / STEP) * STEP);
  return { width: round(side * stretch), height: round(side / stretch) };
}
