import { type FieldRow, type FieldTable, free, priced, refused } from './field-table.js';

/** Names under which any release of a vendor's models reads the length, the size or the number of videos. */
const BILLED = [
  ...['duration', 'seconds', 'duration_seconds', 'duration_s', 'video_duration', 'video_length', 'length_seconds'],
  ...['frames', 'num_frames', 'resolution', 'size'],
  ...['n', 'count', 'num', 'num_videos', 'video_count', 'batch_size', 'sample_count'],
];

const both = (fields: Readonly<Record<string, FieldRow>>): Readonly<Record<string, FieldRow>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, row]) => [
      [`input.${name}`, row],
      [`parameters.${name}`, row],
    ]),
  );

interface VideoFields {
  readonly priced: readonly string[];
  /** Why, by name. */
  readonly refused: Readonly<Record<string, string>>;
}

/**
 * The rows of a video request. `input` and `parameters` are forwarded unchanged, unknown fields included. What changes the
 * bill must agree with the fields beside them, in one spelling.
 */
export const videoFields = (own: VideoFields): Pick<FieldTable, 'unknown' | 'fields'> => ({
  unknown: { '': 'refused' },
  fields: {
    ...priced('A second of video is held and charged by it.', 'duration', 'resolution'),
    ...free('It has no price.', 'model', 'aspect_ratio', 'input', 'parameters', 'webhook_url', 'wait', 'wait_timeout'),
    ...both(priced('It must agree with what is charged.', ...BILLED)),
    ...both(priced('It chooses the price of a second.', ...own.priced)),
    ...both(Object.assign({}, ...Object.entries(own.refused).map(([name, why]) => refused(why, name)))),
  },
});
