import { GatewayError, truncateForError } from '@gateway/contracts';

/** A 400 for a value that this model does not take, with the values that it takes. */
export const unsupportedValue = (param: string, modelId: string, value: unknown, expected: string): GatewayError =>
  new GatewayError(
    'unsupported_value',
    `'${param}': ${modelId} does not take ${truncateForError(JSON.stringify(value))}: expected ${expected}.`,
    { param },
  );

export const unsupportedParameter = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });
