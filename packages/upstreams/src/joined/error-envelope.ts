import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { StreamReader } from '../protocol.js';

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
export const readerWithErrors = (reader: StreamReader): StreamReader => ({
  read: (bytes) => convertingErrors(() => reader.read(bytes)),
  end: () => convertingErrors(() => reader.end()),
  usage: () => reader.usage(),
  get isFinal() {
    return reader.isFinal;
  },
  get isBilledFailure() {
    return reader.isBilledFailure === true;
  },
  get upstreamId() {
    return reader.upstreamId;
  },
  fail: reader.fail,
});
