import { GatewayError } from '@gateway/client';

/** The server did not answer: it is away, or the network is. */
export class Unreachable extends Error {}

export const isGatewayError = (error: unknown): error is GatewayError => error instanceof GatewayError;
