import { describe, expect, it } from '@jest/globals';
import { isTranscriptSchema, transcriptOf } from './transcript.js';

const schemaOf = (...fields: readonly string[]) => ({
  properties: { segments: { items: { properties: Object.fromEntries(fields.map((name) => [name, {}])) } } },
});

describe('a transcript', () => {
  it('is what a schema of timed segments asks for', () => {
    expect(isTranscriptSchema(schemaOf('start', 'end', 'text'))).toBe(true);
    for (const other of [schemaOf('start', 'text'), { type: 'object' }, undefined]) {
      expect(isTranscriptSchema(other)).toBe(false);
    }
  });

  it('has a segment of one second for each sentence', () => {
    expect(JSON.parse(transcriptOf('I have a clip. You said: Go.'))).toEqual({
      segments: [
        { start: '00:00', end: '00:01', text: 'I have a clip.' },
        { start: '00:01', end: '00:02', text: 'You said: Go.' },
      ],
    });
  });
});
