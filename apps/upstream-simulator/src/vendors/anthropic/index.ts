import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { checkCredential, errorOf, refuse } from './anthropic-errors.js';
import { countTokensRoute, messagesRoute, modelRoutes } from './messages.route.js';

export const anthropic: VendorEmulator = {
  vendor: 'anthropic',
  routes: [messagesRoute, countTokensRoute, ...modelRoutes],
  credentialOf: (headers) => headers['x-api-key']?.toString() ?? bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: () => refuse(404, 'not_found_error', 'Not Found'),
};
