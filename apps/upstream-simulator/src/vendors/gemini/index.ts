import type { VendorEmulator } from '../vendor-emulator.js';
import { checkCredential, errorOf, geminiHeaders, refuse } from './gemini-errors.js';
import { modelList } from './gemini-models.js';
import { interactionsRoute } from './interactions.route.js';
import { modelMethodRoute } from './model-method.route.js';

export const gemini: VendorEmulator = {
  vendor: 'gemini',
  routes: [
    modelMethodRoute,
    interactionsRoute,
    {
      method: 'GET',
      path: '/v1beta/models',
      protocol: 'gemini-models',
      handle: () => ({ kind: 'fixed', headers: geminiHeaders(), body: modelList() }),
    },
  ],
  credentialOf: (headers, query) => headers['x-goog-api-key']?.toString() ?? query.key,
  checkCredential,
  errorOf,
  unknownRoute: () => refuse(404, 'NOT_FOUND', 'Requested entity was not found.'),
};
