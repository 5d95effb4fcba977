import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { imageRoutes } from './images.route.js';
import { videoRoutes } from './video/videos.route.js';
import { checkCredential, errorOf, refuse } from './xai-errors.js';

export const xai: VendorEmulator = {
  vendor: 'xai',
  routes: [...imageRoutes, ...videoRoutes],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: (method, path) =>
    refuse(404, 'Some requested entity was not found', `${method} ${path} was not found.`),
};
