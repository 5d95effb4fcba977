import type { VendorEmulator } from '../vendor-emulator.js';
import { bearerToken } from '../vendor-ids.js';
import { chatRoute } from './chat.route.js';
import { checkCredential, compatHeaders, errorOf, refuse } from './dashscope-errors.js';
import { modelList } from './dashscope-models.js';
import { embeddingsRoutes } from './embeddings.route.js';
import { multimodalGenerationRoute } from './multimodal-generation.route.js';
import { taskRoutes, videoSynthesisRoute } from './video/tasks.route.js';

export const dashScope: VendorEmulator = {
  vendor: 'dashscope',
  routes: [
    chatRoute,
    ...embeddingsRoutes,
    multimodalGenerationRoute,
    videoSynthesisRoute,
    ...taskRoutes,
    {
      method: 'GET',
      path: '/compatible-mode/v1/models',
      protocol: 'dashscope-models',
      handle: () => ({ kind: 'fixed', headers: compatHeaders(), body: modelList() }),
    },
  ],
  credentialOf: (headers) => bearerToken(headers.authorization),
  checkCredential,
  errorOf,
  unknownRoute: (method, path) =>
    refuse(404, { message: `${method} ${path} not found`, type: 'invalid_request_error', code: 'NotFound' }),
};
