import type { ErrorDialect } from '../errors/dialects.js';

/** One public endpoint that runs a model. */
export interface EndpointRow {
  /** `{model}`: the path names the model, and the body need not. */
  readonly path: string;
  /** The shape of its errors, unless the model's family has its own. */
  readonly dialect: ErrorDialect;
  /** A longer body is a 413. */
  readonly bodyLimitBytes: number;
  /** The client's name of the output cap that admission may set. Default: `max_completion_tokens`. */
  readonly outputCapField?: string;
  /** The endpoint whose models and rights of keys count for it, if not its own. */
  readonly accessEndpoint?: AccessEndpoint;
}

/** Each serves others, too: who may chat with a model may also complete texts with it, or count their tokens. */
type AccessEndpoint =
  | 'chat.completions'
  | 'responses'
  | 'messages'
  | 'models.generate_content'
  | 'models.embed_content';

const MEBIBYTE = 1024 * 1024;

/** A method of Google's API. The edge also serves each one below `/v1/`. */
const modelMethod = <Method extends string>(method: Method) =>
  ({
    path: `/v1beta/models/{model}:${method}`,
    dialect: 'google',
    bodyLimitBytes: 32 * MEBIBYTE,
    outputCapField: 'generationConfig.maxOutputTokens',
  }) as const;

export const ENDPOINTS = {
  'chat.completions': { path: '/v1/chat/completions', dialect: 'a', bodyLimitBytes: 32 * MEBIBYTE },
  responses: {
    path: '/v1/responses',
    dialect: 'responses',
    bodyLimitBytes: 32 * MEBIBYTE,
    outputCapField: 'max_output_tokens',
  },
  completions: {
    path: '/v1/completions',
    dialect: 'a',
    bodyLimitBytes: 32 * MEBIBYTE,
    outputCapField: 'max_tokens',
    accessEndpoint: 'chat.completions',
  },
  'responses.input_tokens': {
    path: '/v1/responses/input_tokens',
    dialect: 'responses',
    bodyLimitBytes: 32 * MEBIBYTE,
    accessEndpoint: 'responses',
  },
  'responses.compact': {
    path: '/v1/responses/compact',
    dialect: 'responses',
    bodyLimitBytes: 32 * MEBIBYTE,
    outputCapField: 'max_output_tokens',
    accessEndpoint: 'responses',
  },
  messages: { path: '/v1/messages', dialect: 'anthropic', bodyLimitBytes: 32 * MEBIBYTE },
  'messages.count_tokens': {
    path: '/v1/messages/count_tokens',
    dialect: 'anthropic',
    bodyLimitBytes: 32 * MEBIBYTE,
    accessEndpoint: 'messages',
  },
  'models.generate_content': modelMethod('generateContent'),
  'models.stream_generate_content': {
    ...modelMethod('streamGenerateContent'),
    accessEndpoint: 'models.generate_content',
  },
  'models.count_tokens': { ...modelMethod('countTokens'), accessEndpoint: 'models.generate_content' },
  'models.embed_content': modelMethod('embedContent'),
  'models.batch_embed_contents': { ...modelMethod('batchEmbedContents'), accessEndpoint: 'models.embed_content' },
  interactions: {
    path: '/v1beta/interactions',
    dialect: 'interactions',
    bodyLimitBytes: 32 * MEBIBYTE,
    outputCapField: 'generation_config.max_output_tokens',
    accessEndpoint: 'models.generate_content',
  },
  embeddings: { path: '/v1/embeddings', dialect: 'a', bodyLimitBytes: 32 * MEBIBYTE },
  rerank: { path: '/v1/rerank', dialect: 'a', bodyLimitBytes: 32 * MEBIBYTE },
  'audio.speech': { path: '/v1/audio/speech', dialect: 'b', bodyLimitBytes: MEBIBYTE },
  // OpenAI's limit of a file, and room for the other fields.
  'audio.transcriptions': {
    path: '/v1/audio/transcriptions',
    dialect: 'a',
    bodyLimitBytes: 26 * MEBIBYTE,
    accessEndpoint: 'chat.completions',
  },
  'images.generations': { path: '/v1/images/generations', dialect: 'a', bodyLimitBytes: 64 * MEBIBYTE },
  'images.edits': { path: '/v1/images/edits', dialect: 'a', bodyLimitBytes: 120 * MEBIBYTE },
  'videos.generations': { path: '/v1/videos/generations', dialect: 'b', bodyLimitBytes: 64 * MEBIBYTE },
} as const satisfies Record<string, EndpointRow>;

export type Endpoint = keyof typeof ENDPOINTS;

/** The endpoint whose models and rights of keys count for another one. */
export function accessEndpointOf(endpoint: Endpoint): Endpoint {
  const { accessEndpoint }: EndpointRow = ENDPOINTS[endpoint];
  return accessEndpoint ?? endpoint;
}

/** True if the path names the model. */
export const namesModelInPath = ({ path }: EndpointRow): boolean => path.includes('{model}');
