import type { VendorEmulator } from '../vendor-emulator.js';
import { checkCredential, errorOf, refuse } from './gemini-errors.js';
import { interactionsRoutes } from './interactions.route.js';
import { modelRoutes } from './model-method.route.js';

export const gemini: VendorEmulator = {
  vendor: 'gemini',
  routes: [...modelRoutes, ...interactionsRoutes],
  credentialOf: (headers, query) => headers['x-goog-api-key']?.toString() ?? query.key,
  checkCredential,
  errorOf,
  unknownRoute: () => refuse(404, 'NOT_FOUND', 'Requested entity was not found.'),
};
