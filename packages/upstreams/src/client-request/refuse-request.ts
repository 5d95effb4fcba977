import { GatewayError } from '@gateway/contracts';

/** 400 for a value that the model does not support. `param` is the client's field, such as `messages[0].content[1]`. */
export const unsupportedValue = (message: string, param: string): GatewayError =>
  new GatewayError('unsupported_value', message, { param });

export const unsupportedParameter = (param: string): GatewayError =>
  new GatewayError('unsupported_parameter', `Unsupported parameter: '${param}' is not supported with this model.`, {
    param,
  });

export const invalidRequest = (message: string, param: string): GatewayError =>
  new GatewayError('invalid_request', message, { param });

export const contentParam = (messageIndex: number, partIndex: number): string =>
  `messages[${messageIndex}].content[${partIndex}]`;

export const unsupportedPart = (type: string, param: string): GatewayError =>
  unsupportedValue(`Content of type '${type}' is not supported with this model.`, param);
