/** A picture model, with what its own documentation allows. */
export interface ImageModel {
  readonly id: string;
  readonly images: { readonly min: number; readonly max: number };
  readonly maxImages: number;
  readonly defaultSize: string;
  /** Null: the model takes no size. */
  readonly size: { readonly isLegal: (width: number, height: number) => boolean; readonly words: string } | null;
}

const SMALLEST = 512;
const LARGEST = 2_048;

const BY_AREA = {
  isLegal: (width: number, height: number) => width * height >= SMALLEST ** 2 && width * height <= LARGEST ** 2,
  words: 'total pixels should be between 512*512 and 2048*2048',
};
const BY_SIDE = {
  isLegal: (width: number, height: number) => [width, height].every((side) => side >= SMALLEST && side <= LARGEST),
  words: 'width and height should be between 512 and 2048',
};
const TEXT_ONLY = { min: 0, max: 0 };
const EITHER = { min: 0, max: 3 };
const EDITING = { min: 1, max: 3 };

const row = (
  id: string,
  images: ImageModel['images'],
  maxImages: number,
  defaultSize: string,
  size: ImageModel['size'],
): ImageModel => ({ id, images, maxImages, defaultSize, size });

const MODELS: readonly ImageModel[] = [
  row('qwen-image-2.0', EITHER, 6, '2048*2048', BY_AREA),
  row('qwen-image-2.0-pro', EITHER, 6, '2048*2048', BY_AREA),
  row('qwen-image-max', TEXT_ONLY, 1, '1664*928', BY_SIDE),
  row('qwen-image-edit', EDITING, 1, '1024*1024', null),
  row('qwen-image-edit-plus', EDITING, 6, '1024*1024', BY_SIDE),
  row('qwen-image-edit-max', EDITING, 6, '1024*1024', BY_SIDE),
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findImageModel = (name: string): ImageModel | undefined => BY_NAME.get(name);
