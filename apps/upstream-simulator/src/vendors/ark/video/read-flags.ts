/** The flags that a text may end with, by the fields that they stand for. */
const FIELD_OF_FLAG: Readonly<Record<string, string>> = {
  rs: 'resolution',
  resolution: 'resolution',
  rt: 'ratio',
  ratio: 'ratio',
  dur: 'duration',
  duration: 'duration',
  frames: 'frames',
  seed: 'seed',
  cf: 'camera_fixed',
  camerafixed: 'camera_fixed',
  wm: 'watermark',
  watermark: 'watermark',
};
const FLAG = /\s--([a-z]+)\s+(\S+)/gi;
const WHOLE = /^-?\d+$/;

const readWord = (word: string): string | number | boolean => {
  if (word === 'true' || word === 'false') return word === 'true';
  return WHOLE.test(word) ? Number(word) : word;
};

export interface FlaggedText {
  /** Without its flags. */
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/** The older way to ask: `A fox wakes up. --rs 720p --dur 5`. Flags without a meaning are ignored, as by the vendor. */
export function readFlags(text: string): FlaggedText {
  const fields: Record<string, string | number | boolean> = {};
  for (const [, flag = '', word = ''] of text.matchAll(FLAG)) {
    const field = FIELD_OF_FLAG[flag.toLowerCase()];
    if (field !== undefined) fields[field] = readWord(word);
  }
  return { text: text.replace(FLAG, '').trim(), fields };
}
