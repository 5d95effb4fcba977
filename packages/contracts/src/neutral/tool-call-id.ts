import { beginsPacked, packed, unpacked } from './pack-vendor-data.js';
import type { VendorData } from './parts.js';

/** Ends the upstream's id in a client's id that carries data. */
export const TOOL_CALL_MARK = '__extra__';

/** A tool call id that carries the vendor's data, in a format without a field for it. The client returns it with the result. */
export const clientToolId = (id: string, vendor: VendorData | undefined): string =>
  vendor === undefined ? id : `${id}${TOOL_CALL_MARK}${packed(vendor)}`;

/**
 * Splits a client's id into the upstream's id and the vendor's data. Some clients shorten the long id of a result, but not
 * that of its call: without the data, both are the upstream's id. An id that `clientToolId` did not make stays.
 */
export function upstreamToolId(clientId: string): { readonly id: string; readonly vendor?: VendorData } {
  const mark = clientId.lastIndexOf(TOOL_CALL_MARK);
  if (mark < 0) return { id: clientId };
  const [id, data] = [clientId.slice(0, mark), clientId.slice(mark + TOOL_CALL_MARK.length)];
  const vendor = unpacked(data);
  if (vendor !== undefined) return { id, vendor };
  return { id: beginsPacked(data) ? id : clientId };
}
