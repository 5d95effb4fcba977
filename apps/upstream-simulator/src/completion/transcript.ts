import { fieldsOf } from '../json/fields.js';

/** A schema of segments with a start, an end and a text. */
export function isTranscriptSchema(schema: unknown): boolean {
  const { items } = fieldsOf(fieldsOf(fieldsOf(schema).properties).segments);
  const { start, end, text } = fieldsOf(fieldsOf(items).properties);
  return start !== undefined && end !== undefined && text !== undefined;
}

const clock = (seconds: number): string =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** A segment for each sentence, which lasts one second. */
export function transcriptOf(report: string): string {
  const sentences = report.split(/(?<=\.) /);
  return JSON.stringify({
    segments: sentences.map((text, at) => ({ start: clock(at), end: clock(at + 1), text })),
  });
}
