import { isJsonObject } from '../failures/error-body.js';

const MARK = '__extra__';

/** What a vendor wants back with a call and the messages format has no field for, such as a signature of thoughts. */
type Extra = Readonly<Record<string, unknown>>;

/** The one field that such things come in, of whatever a call has besides its name and arguments. */
export const extraOf = (call: object): Extra => {
  const { extra_content: content } = call as { readonly extra_content?: unknown };
  return isJsonObject(content) ? { extra_content: content } : {};
};

/** The id of a tool call as the client gets it: with the vendor's extra fields in it, so that they come back. */
export const clientToolId = (id: string, extra: Extra): string =>
  Object.keys(extra).length === 0 ? id : `${id}${MARK}${Buffer.from(JSON.stringify(extra)).toString('base64url')}`;

/** The id as the upstream knows it, and the fields that it carried. */
export function upstreamToolId(clientId: string): { readonly id: string; readonly extra: Extra } {
  const [id = '', packed] = clientId.split(MARK, 2);
  if (packed === undefined) return { id: clientId, extra: {} };
  try {
    const extra: unknown = JSON.parse(Buffer.from(packed, 'base64url').toString('utf8'));
    return isJsonObject(extra) ? { id, extra: extraOf(extra) } : { id: clientId, extra: {} };
  } catch {
    // Not an id that was made here: it is the client's own.
    return { id: clientId, extra: {} };
  }
}
