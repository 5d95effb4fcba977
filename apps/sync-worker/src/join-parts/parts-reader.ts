import type { Usage } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';

const NOTHING = new Uint8Array(0);

/** The meter of an answer that several upstream calls make one after the other; its bytes are the client's already. */
export class PartsReader implements StreamReader {
  readonly #readers: StreamReader[] = [];
  /** Set once the last part has ended and its last bytes are made. */
  isFinal = false;

  /** A part begins. `undefined`: its call is tried again, and what was tried before is not billed. */
  onPart(place: number, reader: StreamReader | undefined): void {
    this.#readers.length = place;
    if (reader !== undefined) this.#readers.push(reader);
  }

  get upstreamId(): string | undefined {
    return this.#readers[0]?.upstreamId;
  }

  read(bytes: Uint8Array): Uint8Array {
    return bytes;
  }

  end(): Uint8Array {
    return NOTHING;
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
