import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { checkCredential, errorOf, refuse } from './ark-errors.js';
import { imagesRoute } from './images.route.js';
import { modelsRoute } from './models.route.js';
import { taskRoutes } from './video/tasks.route.js';

export const ark: VendorEmulator = {
  vendor: 'ark',
  routes: [imagesRoute, modelsRoute, ...taskRoutes],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: (method, path) =>
    refuse(404, { code: 'InvalidAction', message: `${method} ${path} is not a valid action.`, type: 'NotFound' }),
};
