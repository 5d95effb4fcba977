import type { ImageFormat } from '@gateway/contracts';

/** Read from the image's own bytes. */
export interface ImageMetadata {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** PNG only: the format allows transparent pixels. */
  readonly hasAlpha: boolean;
}

/** A file of a form. */
export interface FormFile {
  readonly field: string;
  readonly bytes: number;
  /** Undefined if the format is not supported. */
  readonly image: ImageMetadata | undefined;
}
