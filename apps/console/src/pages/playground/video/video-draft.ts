import type { Model } from '../../../api/models.js';

export interface VideoDraft {
  readonly prompt: string;
  /** One address a line. */
  readonly images: string;
  readonly seconds: string;
  readonly resolution: string;
  readonly ratio: string;
}

const USUAL_SECONDS = 5;
const USUAL_RESOLUTION = '720p';

export const imagesOf = ({ images }: VideoDraft): readonly string[] =>
  images
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const takesImages = ({ capabilities: { video } }: Model): boolean => video?.input !== 't2v';
export const needsImages = ({ capabilities: { video } }: Model): boolean =>
  video?.input === 'i2v' || video?.input === 'r2v';

/** The nearest length that a model has: 5 seconds, if it can. */
export function secondsOf({ limits: { durations } }: Model, text: string): number {
  const asked = text === '' ? USUAL_SECONDS : Number(text);
  if (text !== '' || durations === undefined) return asked;
  if ('min' in durations) return Math.min(Math.max(asked, durations.min), durations.max);
  return durations.includes(asked) ? asked : (durations[0] ?? asked);
}

export function resolutionOf({ limits: { resolutions = [] } }: Model, { resolution }: VideoDraft): string {
  if (resolution !== '') return resolution;
  return resolutions.includes(USUAL_RESOLUTION) ? USUAL_RESOLUTION : (resolutions[0] ?? USUAL_RESOLUTION);
}
