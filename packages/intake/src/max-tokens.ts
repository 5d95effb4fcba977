/** Three bytes a token is more tokens than nearly any real text has; the average is four bytes. */
const MIN_BYTES_PER_TOKEN = 3;

/** The maximum of tokens that a text of `utf8Bytes` bytes can reasonably have. */
export const maxTokens = (utf8Bytes: number): number => Math.ceil(utf8Bytes / MIN_BYTES_PER_TOKEN);

/** The maximum of tokens that these texts can reasonably have together. */
export const maxTokensOf = (...texts: readonly string[]): number =>
  maxTokens(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0));
