import { describe, expect, it } from '@jest/globals';
import { countSpeechCharacters } from './speech-characters.js';

describe('countSpeechCharacters', () => {
  it.each([
    ['', 0],
    ['Hello, world.', 13],
    ['Hello 世界', 10],
    ['漢字とかな', 7],
    ['한국어', 3],
    ['大韓民國', 8],
    ['😀 ok', 4],
    ['𠀀', 2],
    ['\n\t ', 3],
  ])('counts %j as %i', (text, characters) => {
    expect(countSpeechCharacters(text)).toBe(characters);
  });
});
