import { type GatewayError, isGatewayError } from '@gateway/contracts';

/** The GatewayError that the call throws. Undefined if it throws nothing; any other error is thrown again. */
export function gatewayErrorOf(run: () => unknown): GatewayError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return error;
  }
}

/** The same for a call that must throw one. */
export function errorOf(run: () => unknown): GatewayError {
  const error = gatewayErrorOf(run);
  if (error === undefined) throw new Error('nothing was thrown');
  return error;
}
