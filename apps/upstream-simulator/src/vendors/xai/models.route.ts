import type { Route } from '../vendor-emulator.js';
import { IMAGE_MODELS } from './images.route.js';
import { VIDEO_MODELS } from './video/read-media.js';
import { xaiHeaders } from './xai-errors.js';

const CREATED = 1_759_276_800;

const body = JSON.stringify({
  data: [...IMAGE_MODELS, ...VIDEO_MODELS].map(({ id }) => ({
    id,
    created: CREATED,
    object: 'model',
    owned_by: 'xai',
  })),
  object: 'list',
});

export const modelsRoute: Route = {
  method: 'GET',
  path: '/v1/models',
  protocol: 'xai-models',
  handle: () => ({ kind: 'fixed', headers: xaiHeaders(), body }),
};
