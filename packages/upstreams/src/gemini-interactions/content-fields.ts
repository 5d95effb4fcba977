import {
  COUNTED,
  dropped,
  type FieldTable,
  free,
  priced,
  refused,
  refusedExcept,
  SHARED,
} from '../field-table/field-table.js';

const NO_FIELD = 'Interactions, which make the images, have no such field.';
const NO_CALLS = 'image models take texts and images as inlineData.';

const config = (...names: readonly string[]): string[] => names.map((name) => `generationConfig.${name}`);
const part = (...names: readonly string[]): string[] => names.map((name) => `contents[].parts[].${name}`);

/** Image models on `generateContent`: the request becomes an interaction. */
export const contentFields: FieldTable = {
  title: 'POST /v1beta/models/{model}:generateContent by image models',
  source: 'https://ai.google.dev/gemini-api/docs/image-generation',
  unknown: { '': 'refused', generationConfig: 'refused', 'generationConfig.imageConfig': 'refused' },
  takesSnakeCase: true,
  fields: {
    ...free(COUNTED, 'model', 'contents', 'systemInstruction', 'generationConfig'),
    ...free(COUNTED, ...config('temperature', 'topP', 'stopSequences', 'seed', 'thinkingConfig', 'imageConfig')),
    ...free('It has no price.', ...config('imageConfig.aspectRatio', 'responseModalities')),
    ...priced('Tokens of an image depend on its size.', ...config('imageConfig.imageSize')),
    ...priced('The hold covers it; without it a cap is sent.', ...config('maxOutputTokens')),
    'generationConfig.candidateCount': refusedExcept('expected 1: a call makes one image.', { except: [1] }),
    ...dropped(NO_FIELD, 'safetySettings', ...config('topK', 'mediaResolution')),
    ...refused('image models call no tools here.', 'tools', 'toolConfig'),
    ...refused(NO_CALLS, ...part('fileData', 'functionCall', 'functionResponse', 'executableCode')),
    ...refused(NO_CALLS, ...part('codeExecutionResult')),
    serviceTier: refusedExcept("expected 'standard': other tiers have no price here.", {
      except: ['standard', 'STANDARD', 'unspecified'],
    }),
    store: refusedExcept(`expected false: ${SHARED}`, { except: [false] }),
    ...refused(SHARED, 'cachedContent', 'continuationToken', 'labels'),
  },
};
