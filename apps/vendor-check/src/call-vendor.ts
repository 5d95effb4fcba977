import { HttpPools, isHttpFailure } from '@gateway/http';
import type { UpstreamFailure, WireRequest } from '@gateway/upstreams';

const TIMEOUT_MS = 120_000;
/** An image as base64, with room. */
const RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;

export type VendorResponse = Required<UpstreamFailure>;

/** Sends one request and reads the whole response, whatever its status. Rejects with an Error if none arrived. */
export type CallVendor = (request: WireRequest) => Promise<VendorResponse>;

export const isSuccess = ({ status }: VendorResponse): boolean => status >= 200 && status <= 299;

/** Opens connections to the vendors. Close them at the end, or the process stays. */
export function openVendors(): { readonly call: CallVendor; close(): Promise<void> } {
  const pools = new HttpPools({ connections: 1 });
  return {
    async call({ method, url, headers, body }) {
      try {
        const response = await pools.send(
          { method, url, headers, body },
          { headersTimeoutMs: TIMEOUT_MS, bodyTimeoutMs: TIMEOUT_MS },
        );
        return {
          status: response.status,
          headers: response.headers,
          body: await response.bytes(RESPONSE_LIMIT_BYTES),
        };
      } catch (error) {
        // The failure's own text may hold headers of the request, and so the credential.
        if (isHttpFailure(error)) throw new Error(`no response from ${new URL(url).host}: ${error.kind}`);
        throw error;
      }
    },
    close: () => pools.destroy(),
  };
}
