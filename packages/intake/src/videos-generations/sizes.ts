/** A value of the vendor's `size`: the resolution that it is billed as, and its ratio. */
export interface VideoSize {
  readonly resolution: string;
  readonly aspectRatio: string;
}

/** Sizes by resolution and ratio. */
const SIZES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '480p': { '16:9': '832*480', '9:16': '480*832', '1:1': '624*624' },
  '720p': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080p': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1632*1248', '3:4': '1248*1632' },
};

const bySize = new Map<string, VideoSize>(
  Object.entries(SIZES).flatMap(([resolution, sizes]) =>
    Object.entries(sizes).map(([aspectRatio, size]) => [size, { resolution, aspectRatio }] as const),
  ),
);

/** Undefined for a size that the vendor does not support. */
export const parseVideoSize = (size: unknown): VideoSize | undefined =>
  typeof size === 'string' ? bySize.get(size) : undefined;

/** All sizes of a resolution; empty if the vendor has none for it. */
export const sizesOfResolution = (resolution: string): readonly string[] => Object.values(SIZES[resolution] ?? {});

/** The size of a resolution in a ratio; undefined if the vendor has none. */
export const sizeFor = (resolution: string, aspectRatio: string): string | undefined =>
  SIZES[resolution]?.[aspectRatio];
