/** Hundredths of a US dollar. */
type Cents = number;

/** A video model, with its own price list. */
export interface VideoModel {
  readonly id: string;
  readonly resolutions: readonly string[];
  /** With reference images. */
  readonly referenceResolutions: readonly string[];
  readonly maxSecondsWithReferences: number;
  readonly hasVoices: boolean;
  readonly centsOfSecond: Readonly<Record<string, Cents>>;
  readonly centsOfImage: Cents;
}

const TWO = ['480p', '720p'];

const MODELS: readonly VideoModel[] = [
  {
    id: 'grok-imagine-video',
    resolutions: TWO,
    referenceResolutions: TWO,
    maxSecondsWithReferences: 10,
    hasVoices: false,
    centsOfSecond: { '480p': 5, '720p': 7 },
    centsOfImage: 0,
  },
  {
    id: 'grok-imagine-video-1.5',
    resolutions: [...TWO, '1080p'],
    referenceResolutions: TWO,
    maxSecondsWithReferences: 15,
    hasVoices: true,
    centsOfSecond: { '480p': 8, '720p': 14, '1080p': 25 },
    centsOfImage: 1,
  },
];

const ALIASES: Readonly<Record<string, string>> = { 'grok-imagine-video-1.5-preview': 'grok-imagine-video-1.5' };

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findVideoModel = (name: string): VideoModel | undefined =>
  BY_NAME.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? '') : name);
