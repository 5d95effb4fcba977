import { invalid } from './openai-errors.js';

export interface FormPart {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  readonly content: Buffer;
}

const BOUNDARY = /^multipart\/form-data;.*boundary="?([^";]+)"?/i;
const NAME = /[; ]name="([^"]*)"/i;
const FILENAME = /[; ]filename="([^"]*)"/i;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads a multipart form as the vendor does: it refuses what it cannot parse. */
export function readForm(contentType: string | undefined, body: Buffer): FormPart[] {
  const boundary = BOUNDARY.exec(contentType ?? '')?.[1];
  if (boundary === undefined) throw invalid("Invalid content type: expected 'multipart/form-data' with a boundary.");
  const mark = Buffer.from(`--${boundary}`);
  const between = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  let start = body.indexOf(mark);
  while (start !== -1 && body.toString('latin1', start + mark.length, start + mark.length + 2) === '\r\n') {
    const headEnd = body.indexOf(HEAD_END, start);
    const end = body.indexOf(between, headEnd);
    if (headEnd === -1 || end === -1) throw invalid('Could not parse multipart form.');
    const head = body.toString('utf8', start + mark.length, headEnd);
    const content = body.subarray(headEnd + HEAD_END.length, end);
    parts.push({ name: NAME.exec(head)?.[1] ?? '', filename: FILENAME.exec(head)?.[1], content });
    start = end + 2;
  }
  if (start === -1) throw invalid('Could not parse multipart form.');
  return parts;
}

export type Texts = Readonly<Record<string, string>>;

/** The text fields of a form. */
export const textsOf = (parts: readonly FormPart[]): Texts =>
  Object.fromEntries(
    parts
      .filter(({ filename }) => filename === undefined)
      .map(({ name, content }) => [name, content.toString('utf8')] as const),
  );
