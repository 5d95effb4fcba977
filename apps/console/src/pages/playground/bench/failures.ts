import { GatewayError } from '@gateway/client';
import { fieldsOf, numberOf, parseJson, textOf } from './json.js';

/** The stream ended before its answer did. */
export class CutStream extends Error {}

/** An error in any of the public API's forms: `error` with a message, or a code and a message beside each other. */
export function errorIn(body: unknown, status: number, requestId: string | null): GatewayError {
  const outer = fieldsOf(body);
  const inner = Object.keys(fieldsOf(outer.error)).length > 0 ? fieldsOf(outer.error) : outer;
  const code = textOf(inner.code) || textOf(inner.status) || textOf(inner.type);
  const message = textOf(inner.message);
  const param = textOf(inner.param);
  const error = { ...(message !== '' && { message }), ...(code !== '' && { code }), ...(param !== '' && { param }) };
  return new GatewayError(numberOf(inner.code) ?? status, { error }, { requestId });
}

/** What a refused request says. */
export async function failureOf(response: Response): Promise<GatewayError> {
  return errorIn(parseJson(await response.text()), response.status, response.headers.get('x-request-id'));
}
