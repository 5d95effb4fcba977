import type { SseEvent } from './sse-event.js';

const LINE_END = Buffer.from('\n');

/** The event with other data. Views of the event's bytes wherever its data was one line. */
export function replaceData({ raw, name, data, dataOffset }: SseEvent, replacement: Buffer): readonly Buffer[] {
  if (data !== undefined && dataOffset !== -1) {
    return [raw.subarray(0, dataOffset), replacement, raw.subarray(dataOffset + data.length)];
  }
  const named = name === '' ? [] : [Buffer.from(`event: ${name}\n`)];
  return [Buffer.concat([...named, dataLines(replacement), LINE_END])];
}

const dataLines = (data: Buffer): Buffer =>
  Buffer.from(
    data
      .toString('utf8')
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join(''),
  );
