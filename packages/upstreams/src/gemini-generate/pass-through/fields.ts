import {
  COUNTED,
  type FieldTable,
  free,
  priced,
  refused,
  refusedExcept,
  SHARED,
} from '../../field-table/field-table.js';
import { OWN_FILE } from '../../field-table/google-files.js';

const NO_PRICE = 'a tool that the vendor runs has no price here, except for code and fetched pages.';
const NO_MEDIA = 'generated sound and images have no price here. Use an image model.';

const config = (...names: readonly string[]): string[] => names.map((name) => `generationConfig.${name}`);
const tool = (...names: readonly string[]): string[] => names.map((name) => `tools[].${name}`);

/** Unknown fields are refused, as the vendor itself does: a new one may change the bill. */
export const fields: FieldTable = {
  title: 'POST /v1beta/models/{model}:generateContent and :streamGenerateContent',
  source: 'https://ai.google.dev/api/generate-content',
  unknown: { '': 'refused', generationConfig: 'refused', 'tools[]': 'refused' },
  takesSnakeCase: true,
  fields: {
    ...free(COUNTED, 'model', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'),
    ...free('It has no price.', 'safetySettings'),
    serviceTier: refusedExcept("expected 'standard': other tiers have no price here.", {
      except: ['standard', 'STANDARD', 'unspecified'],
    }),
    store: refusedExcept(`expected false: ${SHARED}`, { except: [false] }),
    ...refused(SHARED, 'cachedContent', 'continuationToken', 'labels'),
    ...free(
      COUNTED,
      ...config('temperature', 'topP', 'topK', 'stopSequences', 'responseMimeType', 'responseSchema'),
      ...config('responseJsonSchema', 'presencePenalty', 'frequencyPenalty', 'seed', 'responseLogprobs', 'logprobs'),
      ...config('thinkingConfig', 'mediaResolution', 'enableEnhancedCivicAnswers'),
    ),
    ...priced('It decides the output that is held.', ...config('maxOutputTokens', 'candidateCount')),
    'generationConfig.responseModalities': refusedExcept(`expected ["TEXT"]: ${NO_MEDIA}`, {
      except: [[], ['TEXT'], ['text']],
    }),
    ...refused(NO_MEDIA, ...config('speechConfig', 'imageConfig', 'audioTranscriptionConfig')),
    ...free('The client runs it.', ...tool('functionDeclarations', 'computerUse')),
    ...priced(
      'Gemini only; not sent to others. What it reads joins the prompt: the hold covers the context window.',
      ...tool('codeExecution', 'urlContext'),
    ),
    ...refused(NO_PRICE, ...tool('googleSearch', 'googleSearchRetrieval', 'googleMaps', 'enterpriseWebSearch')),
    ...refused(NO_PRICE, ...tool('fileSearch', 'retrieval', 'mcpServers', 'exaAiSearch', 'parallelAiSearch')),
    'contents[].parts[].fileData.fileUri': OWN_FILE,
  },
};

/** A count is free, so only what refers to the shared account is refused beside unknown fields. */
export const countFields: FieldTable = {
  title: 'POST /v1beta/models/{model}:countTokens',
  source: 'https://ai.google.dev/api/tokens',
  unknown: { '': 'refused' },
  takesSnakeCase: true,
  fields: {
    ...free('A count is free.', 'model', 'contents', 'generateContentRequest'),
    ...refused(SHARED, 'generateContentRequest.cachedContent'),
    'contents[].parts[].fileData.fileUri': OWN_FILE,
    'generateContentRequest.contents[].parts[].fileData.fileUri': OWN_FILE,
  },
};
