import { packed, unpacked } from './pack-vendor-data.js';
import type { VendorData } from './parts.js';

/** Ends the upstream's id in a client's id that carries data. */
export const TOOL_CALL_MARK = '__extra__';

/** A tool call id that carries the vendor's data, in a format without a field for it. The client returns it with the result. */
export const clientToolId = (id: string, vendor: VendorData | undefined): string =>
  vendor === undefined ? id : `${id}${TOOL_CALL_MARK}${packed(vendor)}`;

/** Splits a client's id into the upstream's id and the vendor's data. An id that `clientToolId` did not make stays. */
export function upstreamToolId(clientId: string): { readonly id: string; readonly vendor?: VendorData } {
  const mark = clientId.lastIndexOf(TOOL_CALL_MARK);
  const vendor = mark < 0 ? undefined : unpacked(clientId.slice(mark + TOOL_CALL_MARK.length));
  return vendor === undefined ? { id: clientId } : { id: clientId.slice(0, mark), vendor };
}
