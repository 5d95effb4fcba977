import { isJsonObject } from '../failures/error-body.js';

const MARK = '__extra__';

/** Vendor fields that must return with the call, such as a thought signature. The messages format has no field for them. */
type Extra = Readonly<Record<string, unknown>>;

/** Selects the only field with such data: `extra_content`. */
export const extraOf = (call: object): Extra => {
  const { extra_content: content } = call as { readonly extra_content?: unknown };
  return isJsonObject(content) ? { extra_content: content } : {};
};

/** Tool call id for the client. Carries the extra fields, so that the client returns them with the tool result. */
export const clientToolId = (id: string, extra: Extra): string =>
  Object.keys(extra).length === 0 ? id : `${id}${MARK}${Buffer.from(JSON.stringify(extra)).toString('base64url')}`;

/** Splits a client's id into the upstream's id and its extra fields. */
export function upstreamToolId(clientId: string): { readonly id: string; readonly extra: Extra } {
  const [id = '', packed] = clientId.split(MARK, 2);
  if (packed === undefined) return { id: clientId, extra: {} };
  try {
    const extra: unknown = JSON.parse(Buffer.from(packed, 'base64url').toString('utf8'));
    return isJsonObject(extra) ? { id, extra: extraOf(extra) } : { id: clientId, extra: {} };
  } catch {
    // `clientToolId` did not create this id: use it unchanged.
    return { id: clientId, extra: {} };
  }
}
