import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { embeddingsRoute } from './embeddings.route.js';
import { rerankRoute } from './rerank.route.js';
import { checkCredential, errorOf, refuse } from './voyage-errors.js';

export const voyage: VendorEmulator = {
  vendor: 'voyage',
  routes: [embeddingsRoute, rerankRoute],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: () => refuse(404, 'Not Found'),
};
