import type { ImageFormat } from '@gateway/contracts';

/** What a picture's own bytes say of it. */
export interface ImageMetadata {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** Of a PNG: some of its pixels can be transparent. */
  readonly hasAlpha: boolean;
}

/** A file of a form, in the client's order. */
export interface FormFile {
  readonly field: string;
  readonly bytes: number;
  /** Undefined: in no format that is known here. */
  readonly image: ImageMetadata | undefined;
}
