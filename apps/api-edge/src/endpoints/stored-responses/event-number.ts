import { GatewayError } from '@gateway/contracts';

/** The number of the last event that the client has, from the query's field `param`. -1: it has none. Throws 400. */
export function eventNumberIn(last: unknown, param: string, expected: string): number {
  if (last === undefined || last === '') return -1;
  if (typeof last === 'string' && /^\d{1,12}$/.test(last)) return Number(last);
  throw new GatewayError('invalid_request', `'${param}': expected ${expected}.`, { param });
}
