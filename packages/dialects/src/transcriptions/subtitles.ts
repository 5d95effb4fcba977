import { readSegments } from './segments.js';

type SubtitleFormat = 'srt' | 'vtt';

/** Players drop a cue that does not last. Models give whole seconds, in which a short sentence begins and ends. */
const LEAST_SECONDS = 1;

function timeOf(seconds: number, separator: ',' | '.'): string {
  const milliseconds = Math.round(seconds * 1_000);
  const parts = [3_600_000, 60_000, 1_000].map((unit, at) => Math.floor(milliseconds / unit) % (at === 0 ? 100 : 60));
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}${separator}${String(milliseconds % 1_000).padStart(3, '0')}`;
}

/** One line: an empty one would end the cue, and an arrow would begin its times. */
const lineOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().replaceAll('-->', '->');

/** WebVTT reads `<` as the beginning of a tag. */
const escapedForVtt = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A model's answer with segments as subtitles. One without segments is one cue. */
export function subtitlesOf(answer: string, duration: number, format: SubtitleFormat): string {
  const { text, segments } = readSegments(answer, duration);
  const read = segments.length > 0 ? segments : [{ start: 0, end: duration, text }];
  const cues = read
    .map(({ start, end, text: spoken }) => ({ start, end: Math.max(end, start + LEAST_SECONDS), line: lineOf(spoken) }))
    .filter(({ line }) => line !== '');
  if (format === 'srt') {
    const written = cues.map(({ start, end, line }, at) => `${at + 1}\n${timesOf(start, end, ',')}\n${line}\n`);
    return written.join('\n');
  }
  const written = cues.map(({ start, end, line }) => `\n${timesOf(start, end, '.')}\n${escapedForVtt(line)}\n`);
  return `WEBVTT\n${written.join('')}`;
}

const timesOf = (start: number, end: number, separator: ',' | '.'): string =>
  `${timeOf(start, separator)} --> ${timeOf(end, separator)}`;
