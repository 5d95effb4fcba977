import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { imageRoutes } from './images.route.js';
import { modelsRoute } from './models.route.js';
import { videoRoutes } from './video/videos.route.js';
import { checkCredential, errorOf, notFound } from './xai-errors.js';

export const xai: VendorEmulator = {
  vendor: 'xai',
  routes: [...imageRoutes, ...videoRoutes, modelsRoute],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: (method, path) => notFound(`${method} ${path} was not found.`),
};
