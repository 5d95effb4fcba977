import type { Usage } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';

const NO_BYTES = new Uint8Array(0);

/** Sums the usage of upstream calls that run one after the other. Its input is already encoded for the client. */
export class SequenceReader implements StreamReader {
  readonly #readers: StreamReader[] = [];
  /** True once the last part has ended and its last bytes are encoded. */
  isFinal = false;

  /** Starts the part at `index`. Undefined: its call is retried, and the failed attempt is not billed. */
  onPart(index: number, reader: StreamReader | undefined): void {
    this.#readers.length = index;
    if (reader !== undefined) this.#readers.push(reader);
  }

  get upstreamId(): string | undefined {
    return this.#readers[0]?.upstreamId;
  }

  /** The identity: the bytes are already encoded. */
  read(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  end(): Uint8Array {
    return NO_BYTES;
  }

  usage(): Usage {
    const units: Record<string, number> = {};
    const usages = this.#readers.map((reader) => reader.usage());
    for (const [unit, count = 0] of usages.flatMap((usage) => Object.entries(usage.units))) {
      units[unit] = (units[unit] ?? 0) + count;
    }
    return {
      units,
      inputTokensTotal: usages.reduce((sum, { inputTokensTotal }) => sum + inputTokensTotal, 0),
      isEstimated: usages.some(({ isEstimated }) => isEstimated),
    };
  }
}
