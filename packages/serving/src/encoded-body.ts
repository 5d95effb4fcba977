import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** Higher levels cost ten times as much for a tenth of the bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const ENCODERS = {
  br: (body: Buffer) => compressBrotli(body, BROTLI),
  gzip: (body: Buffer) => compressGzip(body),
  identity: async (body: Buffer) => body,
} as const satisfies Record<string, (body: Buffer) => Promise<Buffer>>;

export type ContentEncoding = keyof typeof ENCODERS;

/** The best encoding that `Accept-Encoding` allows (RFC 9110, 12.5.3). A client that sends none gets the plain body. */
export function chooseEncoding(acceptEncoding: string | undefined): ContentEncoding {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const isAllowed = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return (['br', 'gzip'] as const).find(isAllowed) ?? 'identity';
}

/** A body that is compressed at most once for each encoding, off the event loop. */
export class EncodedBody {
  readonly #encoded = new Map<ContentEncoding, Promise<Buffer>>();

  constructor(private readonly body: Buffer) {}

  in(encoding: ContentEncoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding);
    if (known !== undefined) return known;
    const encoded = ENCODERS[encoding](this.body);
    this.#encoded.set(encoding, encoded);
    return encoded;
  }
}
