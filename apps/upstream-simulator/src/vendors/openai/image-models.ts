/** A picture model of the images endpoint. */
export interface ImageModel {
  readonly id: string;
  readonly supportsCustomSizes: boolean;
  /** Output tokens of a picture of 1024x1024; another area has its share. */
  readonly tokens: Readonly<Record<string, number>>;
}

const MODELS: readonly ImageModel[] = [
  { id: 'gpt-image-2', supportsCustomSizes: true, tokens: { low: 200, medium: 1_767, high: 7_034 } },
  { id: 'gpt-image-1.5', supportsCustomSizes: false, tokens: { low: 282, medium: 1_250, high: 6_250 } },
  { id: 'gpt-image-1', supportsCustomSizes: false, tokens: { low: 272, medium: 1_056, high: 4_160 } },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findImageModel = (name: string): ImageModel | undefined => BY_NAME.get(name);

const REFERENCE_AREA = 1_024 * 1_024;

export const tokensOfImage = (model: ImageModel, quality: string, width: number, height: number): number =>
  Math.ceil(((model.tokens[quality] ?? 0) * width * height) / REFERENCE_AREA);
