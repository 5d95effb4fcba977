import { PromptTally, tokensOfQuarters } from '../../count/tokens.js';
import { stripDirectives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, isFields, listOf, textOf } from '../../json/fields.js';
import { fitRatio } from '../../media/image-size.js';
import { inspectBytes } from '../../media/inspect-image.js';
import type { Memory } from '../vendor-emulator.js';
import { invalid, refuse } from './interaction-errors.js';
import type { InteractionModel } from './media-models.js';

const KNOWN = new Set(
  `model agent input system_instruction generation_config response_format response_modalities response_mime_type
  previous_interaction_id store background stream tools safety_settings service_tier labels webhook_config
  continuation_token`.split(/\s+/),
);
const SIDES: Readonly<Record<string, number>> = { '512': 512, '1K': 1_024, '2K': 2_048, '4K': 4_096 };
const TOKENS_OF_LEVEL: Readonly<Record<string, number>> = { minimal: 16, low: 32, medium: 64, high: 107 };
const TOKENS_OF_IMAGE = 258;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
type Input = Readonly<{ tally: PromptTally; texts: readonly string[] }>;

function readImage(block: Fields, tally: PromptTally): void {
  const data = textOf(block.data);
  const isBroken = !BASE64.test(data) || inspectBytes(Buffer.from(data, 'base64')).kind !== 'readable';
  if (isBroken && textOf(block.uri) === '') {
    throw invalid('Unable to process input image. Please retry or report in the developer forum.');
  }
  if (textOf(block.mime_type) === '') throw invalid("Invalid input: 'mime_type' is required for an image.");
  tally.images += 1;
}

/** A step holds blocks; earlier thoughts count nothing. */
const blocksOf = (block: unknown): readonly unknown[] => {
  const { type, content } = fieldsOf(block);
  if (type === 'thought') return [];
  return type === 'user_input' || type === 'model_output' ? listOf(content) : [block];
};

function readInput(input: unknown): Input {
  const tally = new PromptTally();
  const texts: string[] = [];
  const blocks = typeof input === 'string' ? [{ type: 'text', text: input }] : listOf(input).flatMap(blocksOf);
  if (blocks.length === 0) throw invalid("Invalid input: 'input' is required.");
  for (const block of blocks.map(fieldsOf)) {
    if (block.type === 'text' && typeof block.text === 'string') {
      tally.addText(block.text);
      texts.push(block.text);
    } else if (block.type === 'image') {
      readImage(block, tally);
    } else {
      throw invalid(`Invalid input: unknown content type '${String(block.type)}'.`);
    }
  }
  return { tally, texts };
}

function readFormat(format: unknown, model: InteractionModel) {
  const { type = 'image', mime_type = 'image/jpeg', image_size = '1K', aspect_ratio = '1:1' } = fieldsOf(format);
  if (type !== 'image') throw invalid(`Invalid response_format.type: '${String(type)}'.`);
  if (mime_type !== 'image/jpeg' && mime_type !== 'image/png') {
    throw invalid(`Invalid response_format.mime_type: '${String(mime_type)}'.`);
  }
  const imageTokens = model.tokensOfSize[textOf(image_size)];
  if (imageTokens === undefined) {
    throw invalid(`Invalid response_format.image_size: '${String(image_size)}' is not supported by this model.`);
  }
  if (!model.ratios.includes(textOf(aspect_ratio))) {
    throw invalid(`Invalid response_format.aspect_ratio: '${String(aspect_ratio)}' is not supported by this model.`);
  }
  return {
    imageTokens,
    ...fitRatio(textOf(aspect_ratio), SIDES[textOf(image_size)] ?? 0),
    format: mime_type === 'image/png' ? ('png' as const) : ('jpeg' as const),
  };
}

function readThoughts(config: Fields, model: InteractionModel) {
  const { thinking_level: level, temperature } = config;
  if (!isAbsent(temperature) && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2)) {
    throw invalid('Invalid generation_config.temperature: must be between 0 and 2.');
  }
  if (isAbsent(level)) {
    return { thoughtTokens: model.hasLevels ? (TOKENS_OF_LEVEL.minimal ?? 0) : 0, showsThoughts: false };
  }
  const thoughtTokens = TOKENS_OF_LEVEL[textOf(level)];
  if (!model.hasLevels || thoughtTokens === undefined) throw invalid('Thinking level is not supported for this model.');
  return { thoughtTokens, showsThoughts: true };
}

/** The cap counts the image and the thoughts. */
function withinCap(thoughtTokens: number, { max_output_tokens: cap }: Fields, imageTokens: number): number {
  if (isAbsent(cap)) return thoughtTokens;
  if (!Number.isSafeInteger(cap) || Number(cap) < 1) {
    throw invalid('Invalid generation_config.max_output_tokens: must be at least 1.');
  }
  return Math.min(thoughtTokens, Math.max(0, Number(cap) - imageTokens));
}

function readHistory(id: unknown, memory: Memory, credential: string | undefined): number {
  if (isAbsent(id)) return 0;
  const stored = memory.interactions.find(textOf(id), credential);
  if (stored === undefined) throw refuse(404, 'not_found', `Interaction ${textOf(id)} not found.`);
  return stored.historyTokens;
}

export function readInteraction(
  request: Fields,
  model: InteractionModel,
  memory: Memory,
  credential: string | undefined,
) {
  const unknown = Object.keys(request).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw invalid(`Unknown parameter: '${unknown}'.`);
  if (
    request.tools !== undefined &&
    !listOf(request.tools).every((tool) => isFields(tool) && textOf(tool.type) !== '')
  ) {
    throw invalid("Invalid tools: each tool needs a 'type'.");
  }
  const { tally, texts } = readInput(request.input);
  const directives = memory.repeats.activeDirectives('gemini', tally.directed);
  tally.addText(textOf(request.system_instruction));
  const history = readHistory(request.previous_interaction_id, memory, credential);
  const config = fieldsOf(request.generation_config);
  const format = readFormat(request.response_format, model);
  const thoughts = readThoughts(config, model);
  return {
    directives,
    text: stripDirectives(texts.join(' ')),
    inputTextTokens: tokensOfQuarters(tally.textQuarters) + history,
    inputImageTokens: tally.images * TOKENS_OF_IMAGE,
    ...format,
    ...thoughts,
    thoughtTokens: withinCap(directives.reasoningTokens ?? thoughts.thoughtTokens, config, format.imageTokens),
    previousId: isAbsent(request.previous_interaction_id) ? undefined : textOf(request.previous_interaction_id),
    isStored: request.store !== false,
  };
}

export type InteractionRequest = ReturnType<typeof readInteraction>;
