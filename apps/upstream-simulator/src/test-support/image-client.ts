import type { JournalLine } from '../journal/journal.js';
import { startForTests } from './start-for-tests.js';

type Headers = Readonly<Record<string, string>>;
const asBearer = (credential: string): Headers => ({ authorization: `Bearer ${credential}` });

/** A client of one image endpoint and of its simulator's journal. */
export class ImageClient {
  private constructor(
    private readonly url: string,
    private readonly path: string,
    private readonly headersOf: (credential: string) => Headers,
  ) {}

  /** `path`: the vendor's image endpoint. */
  static async start(path: string, headersOf = asBearer): Promise<ImageClient> {
    return new ImageClient(await startForTests(), path, headersOf);
  }

  /** A string is sent as it is, so it may be invalid JSON. */
  readonly post = async (body: unknown, credential = 'k', headers: Headers = {}) => {
    const response = await fetch(`${this.url}${this.path}`, {
      method: 'POST',
      headers: { ...this.headersOf(credential), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  readonly lastLine = async (): Promise<JournalLine | undefined> => {
    const response = await fetch(`${this.url}/__journal?since=0&wait_idle=true`);
    return ((await response.json()) as { entries: JournalLine[] }).entries.at(-1);
  };
}
