const SAMPLE_RATE_HZ = 24_000;
const BYTES_PER_SAMPLE = 2;
const MS_PER_CHARACTER = 60;
const SAMPLES_PER_CHARACTER = (SAMPLE_RATE_HZ * MS_PER_CHARACTER) / 1_000;
const LOUDNESS = 9_000;
const LOWEST_HZ = 220;
/** Two octaves of whole tones. */
const STEPS = 12;
/** Fades each tone in and out to avoid clicks. */
const FADE = 0.15;
const hertzOf = (character: string): number => LOWEST_HZ * 2 ** (((character.codePointAt(0) ?? 0) % STEPS) / 6);
const envelopeAt = (place: number): number => Math.min(1, place / FADE, (1 - place) / FADE);

/** One tone per character, silence for a space: other texts differ. */
export const synthesizeTones = (text: string): Buffer => {
  const characters = [...text];
  const samples = Buffer.alloc(characters.length * SAMPLES_PER_CHARACTER * BYTES_PER_SAMPLE);
  characters.forEach((character, at) => {
    if (character.trim() === '') return;
    const hertz = hertzOf(character);
    for (let sample = 0; sample < SAMPLES_PER_CHARACTER; sample += 1) {
      const level = Math.sin((2 * Math.PI * hertz * sample) / SAMPLE_RATE_HZ);
      const place = at * SAMPLES_PER_CHARACTER + sample;
      samples.writeInt16LE(
        Math.round(LOUDNESS * envelopeAt(sample / SAMPLES_PER_CHARACTER) * level),
        place * BYTES_PER_SAMPLE,
      );
    }
  });
  return samples;
};
