import {
  GatewayError,
  type GenerateContentRequest,
  type GeneratePart,
  type InteractionRequest,
} from '@gateway/contracts';

type Block = Exclude<InteractionRequest['input'], string>[number];
type Thinking = NonNullable<InteractionRequest['generation_config']>['thinking_level'];

/** The names of `generateContent` for fields of an interaction, by which errors and headers name them. */
export const CONTENT_NAMES = {
  input: 'contents',
  'response_format.image_size': 'generationConfig.imageConfig.imageSize',
  'response_format.aspect_ratio': 'generationConfig.imageConfig.aspectRatio',
  'generation_config.temperature': 'generationConfig.temperature',
  'generation_config.thinking_level': 'generationConfig.thinkingConfig.thinkingLevel',
  'generation_config.max_output_tokens': 'generationConfig.maxOutputTokens',
} as const;

/**
 * Google's native request as one interaction, of which nothing is stored. All turns become its input, in their order. Without
 * an aspect ratio the vendor chooses it: an edit keeps the shape of its image. Throws a 400 that names the field.
 */
export function interactionOfContents(
  { contents, systemInstruction, generationConfig = {} }: GenerateContentRequest,
  modelId: string,
): InteractionRequest {
  const { temperature, topP, seed, stopSequences, maxOutputTokens, thinkingConfig, imageConfig } = generationConfig;
  checkModalities(generationConfig.responseModalities, modelId);
  const input = contents.flatMap(({ parts = [] }, index) =>
    parts.flatMap((part, at) => blocksOf(part, `contents[${index}].parts[${at}]`, modelId)),
  );
  if (input.length === 0) throw invalid('contents', 'expected a text or an image.');
  const instruction = (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n');
  const level = levelOf(thinkingConfig?.thinkingLevel, modelId);
  const { imageSize = '1K', aspectRatio } = imageConfig ?? {};
  return {
    model: modelId,
    input,
    ...(instruction !== '' && { system_instruction: instruction }),
    response_format: {
      type: 'image',
      image_size: imageSize === '512' ? '512px' : imageSize,
      ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
    },
    generation_config: {
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(seed !== undefined && { seed }),
      ...(stopSequences !== undefined && { stop_sequences: stopSequences }),
      ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
      ...(level !== undefined && { thinking_level: level }),
    },
    store: false,
  };
}

/** What the model thought is not sent again: the vendor's signatures belong to another interface. */
function blocksOf({ text, thought, inlineData }: GeneratePart, param: string, modelId: string): readonly Block[] {
  if (thought === true) return [];
  if (inlineData === undefined) return text === undefined || text === '' ? [] : [{ type: 'text', text }];
  const { mimeType, data } = inlineData;
  if (!mimeType.startsWith('image/')) throw invalid(param, `${modelId} takes texts and images, got ${mimeType}.`);
  return [{ type: 'image', mime_type: mimeType, data: standardBase64(data) }];
}

/** Google's client for Python writes the alphabet of URLs, and APIs of Google read both. */
const standardBase64 = (data: string): string =>
  /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data;

const MODALITIES: readonly string[] = ['text', 'image'];

function checkModalities(modalities: readonly string[] = [], modelId: string): void {
  const asked = modalities.map((modality) => modality.toLowerCase());
  if (asked.length === 0) return;
  if (asked.includes('image') && asked.every((modality) => MODALITIES.includes(modality))) return;
  throw unsupported(
    'generationConfig.responseModalities',
    `expected ["IMAGE"] or ["TEXT", "IMAGE"]: ${modelId} makes images.`,
  );
}

function levelOf(level: string | undefined, modelId: string): Thinking {
  const word = level?.toLowerCase();
  if (word === undefined || word === 'thinking_level_unspecified') return undefined;
  if (word === 'minimal' || word === 'high') return word;
  const param = CONTENT_NAMES['generation_config.thinking_level'];
  throw unsupported(param, `${modelId} supports MINIMAL and HIGH.`);
}

const invalid = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${why}`, { param });

const unsupported = (param: string, why: string): GatewayError =>
  new GatewayError('unsupported_value', `'${param}': ${why}`, { param });
