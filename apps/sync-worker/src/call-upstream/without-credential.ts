import { hideCredential, hideCredentialInChunks } from '@gateway/channels';
import type { HttpResponse } from '@gateway/http';

/** A body with an error is short. A longer one is not searched: it would keep the event loop busy. */
const SEARCHED_BYTES = 1024 * 1024;

/** The response without the credential of its channel. An upstream may repeat it in an error, with any status or in a stream. */
export const withoutCredential = (response: HttpResponse, credential: string): HttpResponse => ({
  status: response.status,
  headers: response.headers,
  body: hideCredentialInChunks(response.body, credential),
  dump: () => response.dump(),
  async bytes(limitBytes) {
    const bytes = await response.bytes(limitBytes);
    return bytes.length > SEARCHED_BYTES ? bytes : (hideCredential(bytes, credential) as Buffer);
  },
});
