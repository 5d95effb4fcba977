export interface DataUri {
  /** Lower case, without parameters. Empty if the URI has none. */
  readonly mediaType: string;
  readonly base64: string;
}

const HEAD = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i;

/** Reads `data:<type>;base64,<data>`; undefined for anything else. */
export function parseDataUri(url: string): DataUri | undefined {
  // Matches only the head: the data may be megabytes.
  const head = HEAD.exec(url.slice(0, 256));
  if (head === null) return undefined;
  return { mediaType: (head[1] ?? '').toLowerCase(), base64: url.slice(head[0].length) };
}

export const isHttpUrl = (url: string): boolean => /^https?:\/\//i.test(url);

export const toDataUri = ({ mediaType, base64 }: DataUri): string => `data:${mediaType};base64,${base64}`;
