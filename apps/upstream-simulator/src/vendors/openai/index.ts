import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { chatRoute } from './chat.route.js';
import { compactRoute } from './compact.route.js';
import { imageEditsRoute } from './image-edits.route.js';
import { imagesRoute } from './images.route.js';
import { checkCredential, errorOf, openAiHeaders, refuse } from './openai-errors.js';
import { modelList } from './openai-models.js';
import { responsesRoute } from './responses.route.js';

export const openAi: VendorEmulator = {
  vendor: 'openai',
  routes: [
    chatRoute,
    responsesRoute,
    compactRoute,
    imagesRoute,
    imageEditsRoute,
    {
      method: 'GET',
      path: '/v1/models',
      protocol: 'openai-models',
      handle: (_incoming, { calendar }) => ({ kind: 'fixed', headers: openAiHeaders(), body: modelList(calendar) }),
    },
  ],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: (method, path) => refuse(404, { message: `Invalid URL (${method} ${path})` }),
};
