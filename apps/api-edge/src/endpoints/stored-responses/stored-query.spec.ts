import { describe, expect, it } from '@jest/globals';
import { readSwitches } from './stored-query.js';

describe('the query of a stored response', () => {
  it('asks for JSON without its input, unless it says otherwise', () => {
    expect(readSwitches({ starting_after: '5' })).toEqual({ stream: false, include_input: false });
    expect(readSwitches({ stream: 'true', include_input: 'false' })).toEqual({ stream: true, include_input: false });
  });

  it.each(['True', '1', ''])('is refused if it asks for a stream in another way: %j', (stream) => {
    expect(() => readSwitches({ stream })).toThrow("'stream': must be true or false");
  });

  it('is refused if it asks for a stream twice', () => {
    expect(() => readSwitches({ stream: ['true', 'true'] })).toThrow("'stream': expected one value, received 2.");
  });
});
