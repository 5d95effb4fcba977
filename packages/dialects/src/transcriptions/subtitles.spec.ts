import { describe, expect, it } from '@jest/globals';
import { openTranscription } from '../index.js';

const spoken = [
  { start: '00:00', end: '00:02', text: 'Say\n\n<b> & go --> on.' },
  { start: '00:02', end: '00:02', text: 'Yes.' },
  { start: '61:05.5', end: '61:07', text: 'Then stop.' },
];

const subtitles = (format: 'srt' | 'vtt', content: string) => {
  const { whole, contentType } = openTranscription({ format, duration: 4_000, hasSegments: true });
  expect(contentType).toBe('text/plain; charset=utf-8');
  return Buffer.from(whole({ choices: [{ message: { content }, finish_reason: 'stop' }] })).toString();
};

describe('subtitles', () => {
  it('as SRT are numbered cues of one line, each of which lasts', () => {
    expect(subtitles('srt', JSON.stringify({ segments: spoken }))).toBe(
      [
        ...['1', '00:00:00,000 --> 00:00:02,000', 'Say <b> & go -> on.', ''],
        ...['2', '00:00:02,000 --> 00:00:03,000', 'Yes.', ''],
        ...['3', '01:01:05,500 --> 01:01:07,000', 'Then stop.', ''],
      ].join('\n'),
    );
  });

  it('as WebVTT have a head, and no tags', () => {
    expect(subtitles('vtt', JSON.stringify({ segments: spoken }))).toBe(
      [
        ...['WEBVTT', ''],
        ...['00:00:00.000 --> 00:00:02.000', 'Say &lt;b> &amp; go -> on.', ''],
        ...['00:00:02.000 --> 00:00:03.000', 'Yes.', ''],
        ...['01:01:05.500 --> 01:01:07.000', 'Then stop.', ''],
      ].join('\n'),
    );
  });

  it('of an answer without segments are one cue, and of silence none', () => {
    expect(subtitles('srt', 'Hello')).toBe('1\n00:00:00,000 --> 01:06:40,000\nHello\n');
    expect(subtitles('srt', '{"segments": []}')).toBe('');
    expect(subtitles('vtt', '{"segments": []}')).toBe('WEBVTT\n');
  });
});
