import { GatewayError, truncateForError } from '@gateway/contracts';

/** The 400 for a value that the model does not support. It names the supported values. */
export const unsupportedValue = (param: string, modelId: string, value: unknown, expected: string): GatewayError =>
  new GatewayError(
    'unsupported_value',
    `'${param}': ${modelId} does not support ${truncateForError(JSON.stringify(value))}: expected ${expected}.`,
    { param },
  );

export const unsupportedParameter = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });
