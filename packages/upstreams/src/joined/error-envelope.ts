import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { StreamReader } from '../protocol.js';
import { ReaderOver } from './reader-over.js';

/** Drops the upstream's error envelope, for a dialect that cannot show it. The message stays. */
export function withoutEnvelope(error: GatewayError): GatewayError {
  const { passThrough, ...details } = error.details;
  return passThrough === undefined ? error : new GatewayError(error.code, error.message, details);
}

export function convertingErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw isGatewayError(error) ? withoutEnvelope(error) : error;
  }
}

/** Also converts the errors that an upstream reports inside a stream. */
export const readerWithErrors = (reader: StreamReader): StreamReader => new ReaderWithErrors(reader);

class ReaderWithErrors extends ReaderOver {
  read(bytes: Uint8Array): Uint8Array {
    return convertingErrors(() => this.inner.read(bytes));
  }

  end(): Uint8Array {
    return convertingErrors(() => this.inner.end());
  }

  get fail(): StreamReader['fail'] {
    return this.inner.fail;
  }
}
