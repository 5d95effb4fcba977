const WORDS =
  'the river runs past the old mill and turns a wheel that nobody has stopped for a hundred years while herons wait in the reeds'.split(
    ' ',
  );
const SENTENCE = `${WORDS.join(' ')} `;

/** Text of exactly that many bytes, always the same. */
export const fillerOfBytes = (bytes: number): string =>
  SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes);

export const fillerOfWords = (words: number): string => {
  const whole = SENTENCE.repeat(Math.floor(words / WORDS.length));
  return (whole + WORDS.slice(0, words % WORDS.length).join(' ')).trimEnd();
};
