import { GatewayError } from '@gateway/contracts';

export const unknownKey = (): GatewayError => new GatewayError('not_found', 'There is no such key.');
