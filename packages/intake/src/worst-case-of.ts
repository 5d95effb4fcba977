import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import type { AbortContract, Endpoint } from '@gateway/contracts';
import type { WorstCase } from './hold-range.js';
import { formFromJson } from './images-edits/form-from-json.js';
import { validateImageEdit } from './images-edits/validate-image-edit.js';
import { isJsonEndpoint, JSON_ENDPOINTS, type JsonEndpoint } from './json-endpoints.js';
import { rejectDeepJson } from './reject-deep-json.js';
import type { VideoDraft } from './videos-generations/billed-video.js';
import { validateVideoRequest } from './videos-generations/validate-video-request.js';

type Body = Record<string, unknown>;

/** Endpoints whose bodies need more than the JSON table: a form, and a video that may refer to a draft. */
const OTHER_ENDPOINTS: Readonly<
  Record<Exclude<Endpoint, JsonEndpoint>, (body: Body, model: CatalogueModel, draft?: VideoDraft) => WorstCase>
> = {
  'images.edits': (body, model) => validateImageEdit(formFromJson(body), withCapability(model, 'imageEdits')),
  'videos.generations': (body, model, draft) => validateVideoRequest(body, withCapability(model, 'video'), draft),
};

/** What a request can use, and what happens when its client leaves. */
export type QuotedUse = WorstCase & { readonly abortContract: AbortContract };

/**
 * What a request can use, for any endpoint. Throws the 400 that the endpoint itself would return. `draft`: the
 * finished draft that a video request refers to.
 */
export function worstCaseOf(endpoint: Endpoint, body: Body, model: CatalogueModel, draft?: VideoDraft): QuotedUse {
  rejectDeepJson(body);
  if (isJsonEndpoint(endpoint)) return JSON_ENDPOINTS[endpoint].validate(body, model);
  return { ...OTHER_ENDPOINTS[endpoint](body, model, draft), abortContract: 'completes' };
}
