import type { Usage } from '@gateway/contracts';
import type { StreamReader } from '../protocol.js';

/** A reader over another one: it gives the client other bytes, and says the same of the upstream's answer. */
export abstract class ReaderOver implements StreamReader {
  constructor(protected readonly inner: StreamReader) {}

  abstract read(bytes: Uint8Array): Uint8Array;
  abstract end(): Uint8Array;

  usage(): Usage {
    return this.inner.usage();
  }

  get isFinal(): boolean {
    return this.inner.isFinal;
  }

  get isBilledFailure(): boolean {
    return this.inner.isBilledFailure === true;
  }

  get upstreamId(): string | undefined {
    return this.inner.upstreamId;
  }
}
