import type { Vendor } from '@gateway/contracts';
import { readAnthropicFailure } from '../failures/anthropic-failure.js';
import { readArkFailure } from '../failures/ark-failure.js';
import { readDashScopeNativeFailure } from '../failures/dashscope-native-failure.js';
import { readGeminiFailure } from '../failures/gemini-failure.js';
import { readOpenAiFailure } from '../failures/openai-failure.js';
import { readXaiFailure } from '../failures/xai-failure.js';
import type { WireRequest } from '../protocol.js';
import type { ListTarget, ModelList } from './model-list.js';
import { readDataPage, readGeminiPage } from './read-pages.js';

const PAGE_SIZE = 1_000;
const ANTHROPIC_VERSION = '2023-06-01';

const getJson = (url: string, headers: Readonly<Record<string, string>>): WireRequest => ({
  method: 'GET',
  url,
  headers: { ...headers, accept: 'application/json' },
  body: null,
});

const getWithBearer =
  (path: string) =>
  ({ baseUrl, credential }: ListTarget): WireRequest =>
    getJson(`${baseUrl}${path}`, { authorization: `Bearer ${credential}` });

const cursorOf = (name: string, cursor: string | undefined): string =>
  cursor === undefined ? '' : `&${name}=${encodeURIComponent(cursor)}`;

/**
 * The lists of models of each vendor. Voyage has none. DashScope, Ark and xAI leave out media models, or keep retired ones.
 * Sources: platform.openai.com/docs/api-reference/models, platform.claude.com/docs/en/api/models-list,
 * ai.google.dev/api/models, docs.x.ai/docs/api-reference.
 */
export const MODEL_LISTS: Readonly<Partial<Record<Vendor, ModelList>>> = {
  openai: {
    isComplete: true,
    buildList: getWithBearer('/v1/models'),
    readList: readDataPage,
    readFailure: readOpenAiFailure,
  },
  anthropic: {
    isComplete: true,
    buildList: ({ baseUrl, credential }, cursor) =>
      getJson(`${baseUrl}/v1/models?limit=${PAGE_SIZE}${cursorOf('after_id', cursor)}`, {
        'x-api-key': credential,
        'anthropic-version': ANTHROPIC_VERSION,
      }),
    readList: readDataPage,
    readFailure: readAnthropicFailure,
  },
  gemini: {
    isComplete: true,
    buildList: ({ baseUrl, credential }, cursor) =>
      getJson(`${baseUrl}/v1beta/models?pageSize=${PAGE_SIZE}${cursorOf('pageToken', cursor)}`, {
        'x-goog-api-key': credential,
      }),
    readList: readGeminiPage,
    readFailure: readGeminiFailure,
  },
  dashscope: {
    isComplete: false,
    buildList: getWithBearer('/compatible-mode/v1/models'),
    readList: readDataPage,
    readFailure: readDashScopeNativeFailure,
  },
  ark: {
    isComplete: false,
    buildList: getWithBearer('/api/v3/models'),
    readList: readDataPage,
    readFailure: readArkFailure,
  },
  xai: {
    isComplete: false,
    buildList: getWithBearer('/v1/models'),
    readList: readDataPage,
    readFailure: readXaiFailure,
  },
};
