import type { PromptTally } from '../count/prompt-tally.js';
import { stripDirectives } from '../directives/directives.js';
import { firstBytes } from './cut-text.js';

const ECHO_BYTES = 80;
const QUOTE_BYTES = 200;

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const echoOf = (text: string): string => firstBytes(stripDirectives(text.slice(0, 4_096)), ECHO_BYTES);

/** The answer where nothing else is asked for: it says what arrived, so that a test sees what was lost on the way. */
export const plainText = (tally: PromptTally): string => {
  if (tally.toolResults.length > 0) {
    return `The tool answered: ${listed(tally.toolResults.map((result) => firstBytes(stripDirectives(result), QUOTE_BYTES)))}.`;
  }
  const inspection = listed([
    ...counted(tally.textBytes, 'byte'),
    ...counted(tally.images, 'image'),
    ...counted(tally.audios, 'audio clip'),
    ...counted(tally.videos, 'video'),
    ...counted(tally.files, 'file'),
  ]);
  const echo = echoOf(tally.lastUserText);
  return echo === '' ? `I received ${inspection}.` : `I received ${inspection}. You said: ${echo}`;
};
