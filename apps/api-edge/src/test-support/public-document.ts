import {
  type ControllerRoute,
  controllerRoutes,
  type DescribedRoute,
  type DocumentSetup,
  errorTable,
} from '@gateway/api-description';
import { ENDPOINTS, type Endpoint, type EndpointRow, namesModelInPath } from '@gateway/contracts';
import { CONTROLLERS } from '../app.module.js';
import { ENDPOINT_DESCRIPTIONS } from '../endpoints/descriptions/index.js';
import { STORED_RESPONSES } from '../endpoints/descriptions/stored-responses.js';
import { CALL_PATHS } from '../http/google-routes.js';

const TAGS = {
  chat: 'Chat completions.',
  responses: 'The Responses protocol, stored responses, responses in the background.',
  conversations: 'Histories that responses continue.',
  messages: 'The native messages format.',
  gemini: 'Google’s native API.',
  interactions: 'Google’s Interactions API: stored steps, streams, interactions in the background.',
  completions: 'The older text completions.',
  embeddings: 'Vectors of texts.',
  rerank: 'Documents by their relevance.',
  audio: 'Speech and transcriptions.',
  images: 'Images from texts and images.',
  videos: 'Videos are tasks: submit, wait, follow, cancel.',
  files: 'What customers upload, and what the gateway keeps for them.',
  requests: 'Responses that are taken later.',
  batches: 'Many requests at once, in OpenAI’s format.',
  messageBatches: 'Many requests at once, in Anthropic’s format.',
  models: 'The models of a key.',
};

const INTRODUCTION = `One base address and one \`sk-\` key in front of many models. Point an official client library at it, and change nothing else.

Every answer has \`x-request-id\`. Every answer that ran a model has \`x-cost-usd\` and \`x-balance-usd\`; a stream has them in a last comment if the request has \`x-include-cost: true\`.
\`x-gateway-filled\` and \`x-gateway-dropped\` say which fields the gateway set or left out.
Clients ignore fields that they do not know: answers may get new ones.

## Errors

An error has the style of the endpoint's protocol. It names the field and what was expected. An upstream's own 4xx passes with its status.
A refused request costs nothing. A failed one costs nothing unless its vendor bills it; \`x-cost-usd\` says so.
An error after a stream has begun is the last event of the stream, in the same style. What was generated before it is charged.

${errorTable()}`;

const API_KEY = ['apiKey', 'apiKeyHeader', 'googleKey', 'azureKey'];

const rows: readonly (readonly [Endpoint, EndpointRow])[] = Object.entries(ENDPOINTS) as [Endpoint, EndpointRow][];
const descriptionByPath = new Map(rows.map(([name, { path }]) => [path, ENDPOINT_DESCRIPTIONS[name]]));

/** One route serves all calls of Google's API, below two versions. The document has the calls, below Google's own. */
const isCall = ({ method, path }: ControllerRoute): boolean => method === 'POST' && CALL_PATHS.includes(path);

const calls: readonly ControllerRoute[] = rows
  .filter(([, row]) => namesModelInPath(row))
  .map(([, { path }]) => ({ method: 'POST', path }));

/** The server upgrades it before any controller. */
const socket: ControllerRoute = {
  method: 'GET',
  path: ENDPOINTS.responses.path,
  description: STORED_RESPONSES.socket,
};

/** Every route of the public API. */
export const publicRoutes: readonly ControllerRoute[] = [
  ...controllerRoutes(CONTROLLERS).filter((route) => !isCall(route)),
  ...calls,
  socket,
].map((route) => {
  const description = route.description ?? (route.method === 'POST' ? descriptionByPath.get(route.path) : undefined);
  return description === undefined ? route : { ...route, description };
});

/** What the document is built of. `recorded`: the answers of a scenario. */
export const publicDocument = (recorded: DocumentSetup['recorded']): DocumentSetup => ({
  title: 'Unified Model Gateway',
  description: INTRODUCTION,
  version: '1.0.0',
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  securitySchemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk-…`.' },
    apiKeyHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'The same, as the messages format sends it.',
    },
    googleKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-goog-api-key',
      description: 'The same, as Google’s libraries send it.',
    },
    azureKey: {
      type: 'apiKey',
      in: 'header',
      name: 'api-key',
      description: 'The same, as clients of Azure send it.',
    },
  },
  routes: publicRoutes.flatMap(({ method, path, description }): DescribedRoute[] =>
    description === undefined ? [] : [{ method, path, description, security: API_KEY }],
  ),
  common: {
    errors: [
      'invalid_request',
      'invalid_json',
      'invalid_api_key',
      'permission_denied',
      'not_found',
      'method_not_allowed',
      'request_timeout',
      'request_too_large',
      'unsupported_media_type',
      'rate_limit_exceeded',
      'headers_too_large',
      'client_closed_request',
      'internal_error',
      'service_unavailable',
    ],
    headers: ['x-request-id', 'x-cost-usd', 'x-balance-usd', 'x-gateway-test'],
  },
  recorded,
  variables: { baseUrl: 'GATEWAY_URL', tokens: { apiKey: 'GATEWAY_API_KEY' } },
});
