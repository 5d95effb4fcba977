import { type Capability, type CatalogueModel, MODELS } from '@gateway/catalogue';
import { ENDPOINTS, type Endpoint } from '@gateway/contracts';
import { isJsonEndpoint, JSON_ENDPOINTS, type JsonEndpoint, type JsonEndpointRow } from '@gateway/intake';
import type { LeavingRequest, ResponseForm } from './leaving-requests.js';

type FreeEndpoint = 'responses.input_tokens' | 'messages.count_tokens' | 'models.count_tokens';
type PaidEndpoint = Exclude<Endpoint, FreeEndpoint>;

/** How each endpoint that costs money responds. A new endpoint needs a row, and then requests that are left. */
const FORMS = {
  'chat.completions': ['events', 'whole'],
  responses: ['events', 'socket', 'whole'],
  completions: ['events', 'whole'],
  'responses.compact': ['whole'],
  messages: ['events', 'whole'],
  'models.generate_content': ['whole'],
  'models.stream_generate_content': ['events'],
  interactions: ['events', 'whole'],
  'models.embed_content': ['whole'],
  'models.batch_embed_contents': ['whole'],
  embeddings: ['whole'],
  rerank: ['whole'],
  'audio.speech': ['audio'],
  'audio.transcriptions': ['events', 'whole'],
  'images.generations': ['events', 'whole'],
  'images.edits': ['events', 'whole'],
  'videos.generations': ['whole'],
} as const satisfies Record<PaidEndpoint, readonly ResponseForm[]>;

/** What a model needs for the endpoints that are not in `JSON_ENDPOINTS`. */
const OTHER_CAPABILITIES = {
  'images.edits': 'imageEdits',
  'videos.generations': 'video',
} as const satisfies Record<Exclude<Endpoint, JsonEndpoint>, Capability>;

const capabilityOf = (endpoint: Endpoint): Capability =>
  isJsonEndpoint(endpoint) ? JSON_ENDPOINTS[endpoint].capability : OTHER_CAPABILITIES[endpoint];

/** The upstream protocol by which a model serves an endpoint. Undefined: it does not. */
function protocolOf(model: CatalogueModel, endpoint: Endpoint): string | undefined {
  const protocol = model[capabilityOf(endpoint)]?.protocol;
  return protocol === 'own-images' ? model.imageGeneration?.protocol : protocol;
}

const takesAudio = ({ chat }: CatalogueModel): boolean => chat?.traits.inputs.includes('audio') === true;

/** True if the endpoint's own rules let this model stream images. */
function streamsImages(model: CatalogueModel): boolean {
  const { validate }: JsonEndpointRow = JSON_ENDPOINTS['images.generations'];
  try {
    return validate({ model: model.id, prompt: 'x', stream: true }, model).isStream;
  } catch {
    return false;
  }
}

const streamsEdits = ({ imageEdits }: CatalogueModel): boolean =>
  imageEdits?.protocol === 'openai-image-edits' && imageEdits.traits.billing.by === 'tokens';

function canServe(model: CatalogueModel, endpoint: Endpoint, form: ResponseForm): boolean {
  if (endpoint === 'audio.transcriptions') return takesAudio(model);
  if (form !== 'events') return true;
  if (endpoint === 'images.edits') return streamsEdits(model);
  return endpoint !== 'images.generations' || streamsImages(model);
}

const lineOf = (endpoint: Endpoint, protocol: string | undefined, form: ResponseForm): string =>
  `${endpoint} over ${protocol}, ${form}`;

/** Endpoints that cost money, by the table that the edge serves. */
export const paidEndpoints = (): readonly Endpoint[] =>
  (Object.keys(ENDPOINTS) as Endpoint[]).filter((endpoint) => {
    if (!isJsonEndpoint(endpoint)) return true;
    const { isFree }: JsonEndpointRow = JSON_ENDPOINTS[endpoint];
    return isFree !== true;
  });

export const knownEndpoints = (): readonly string[] => Object.keys(FORMS);

/** Each endpoint with each upstream protocol behind it, and each form of its response: by the catalogue and the endpoints. */
export function sellableCalls(): readonly string[] {
  const lines = Object.entries(FORMS).flatMap(([name, forms]) => {
    const endpoint = name as PaidEndpoint;
    return forms.flatMap((form: ResponseForm) =>
      (MODELS as readonly CatalogueModel[])
        .filter((model) => protocolOf(model, endpoint) !== undefined && canServe(model, endpoint, form))
        .map((model) => lineOf(endpoint, protocolOf(model, endpoint), form)),
    );
  });
  return [...new Set(lines)].toSorted();
}

/** The same of requests that the oracle leaves. */
export function leftCalls(requests: readonly LeavingRequest[]): readonly string[] {
  const lines = requests.map(({ endpoint, model: id, form }) => {
    const model = (MODELS as readonly CatalogueModel[]).find((each) => each.id === id);
    if (model === undefined) throw new Error(`${id} is not in the catalogue`);
    return lineOf(endpoint, protocolOf(model, endpoint), form);
  });
  return [...new Set(lines)].toSorted();
}
