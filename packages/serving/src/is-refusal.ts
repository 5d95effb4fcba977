import { ERRORS, type GatewayError, isGatewayError } from '@gateway/contracts';

const SERVER_ERROR = 500;

/** The request is at fault. False if we cannot know, such as whether its key is valid. */
export const isRefusal = (error: unknown): error is GatewayError =>
  isGatewayError(error) && ERRORS[error.code].status < SERVER_ERROR;
