import { type InvoiceUsage, invoiceOf, tokensOfText } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import { MEDIA_TYPES, renderImage } from '../../media/image.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { parseJsonObject } from '../vendor-errors.js';
import { newId } from '../vendor-ids.js';
import { API_VERSIONS, geminiHeaders } from './gemini-errors.js';
import { interactionErrors, invalid, refuse } from './interaction-errors.js';
import { findInteractionModel, type InteractionModel } from './media-models.js';
import { type InteractionRequest, readInteraction } from './read-interaction.js';

const SIGNATURE = Buffer.from('signature').toString('base64');

const parse = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => invalid('Invalid JSON payload received. Unexpected token.'));

const remarkTokens = (model: InteractionModel): number => tokensOfText(model.remark);

const billOf = (parsed: InteractionRequest, model: InteractionModel): InvoiceUsage =>
  invoiceOf(
    { input_image_token: parsed.inputImageTokens, output_image_token: parsed.imageTokens },
    { input: parsed.inputTextTokens, output: remarkTokens(model) + parsed.thoughtTokens },
  );

const modality = (name: string, tokens: number): object[] => (tokens === 0 ? [] : [{ modality: name, tokens }]);

function usageOf(parsed: InteractionRequest, model: InteractionModel): object {
  const isBlocked = parsed.directives.isBlocked === true;
  const input = parsed.inputTextTokens + parsed.inputImageTokens;
  const output = isBlocked ? 0 : parsed.imageTokens + remarkTokens(model);
  const thoughts = isBlocked ? 0 : parsed.thoughtTokens;
  return {
    total_tokens: input + output + thoughts,
    total_input_tokens: input,
    input_tokens_by_modality: [
      ...modality('text', parsed.inputTextTokens),
      ...modality('image', parsed.inputImageTokens),
    ],
    total_cached_tokens: 0,
    total_output_tokens: output,
    ...(!isBlocked && { output_tokens_by_modality: modality('image', parsed.imageTokens) }),
    total_tool_use_tokens: 0,
    total_thought_tokens: thoughts,
  };
}

function stepsOf(parsed: InteractionRequest, model: InteractionModel): object[] {
  const { text, width, height, format } = parsed;
  const minBytes = parsed.directives.imageBytes;
  const data = renderImage({ text, width, height, format, minBytes }).toString('base64');
  return [
    ...(parsed.showsThoughts ? [{ signature: SIGNATURE, type: 'thought' }] : []),
    {
      content: [
        ...(model.remark === '' ? [] : [{ text: model.remark, type: 'text' }]),
        { mime_type: MEDIA_TYPES[format], data, type: 'image' },
      ],
      type: 'model_output',
    },
  ];
}

function whole(id: string, parsed: InteractionRequest, model: InteractionModel): string {
  const now = new Date().toISOString();
  const isBlocked = parsed.directives.isBlocked === true;
  return JSON.stringify({
    id,
    status: isBlocked ? 'failed' : 'completed',
    ...(parsed.previousId !== undefined && { previous_interaction_id: parsed.previousId }),
    ...(parsed.directives.hidesUsage !== true && { usage: usageOf(parsed, model) }),
    created: now,
    updated: now,
    service_tier: 'standard',
    steps: isBlocked ? [] : stepsOf(parsed, model),
    ...(isBlocked && {
      errors: [{ code: 'blocked_by_safety', message: 'The request was blocked by safety filters.' }],
    }),
    object: 'interaction',
    model: model.id,
  });
}

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parse(incoming);
  const name = textOf(request.model);
  incoming.record.model = name;
  const model = findInteractionModel(name);
  if (model === undefined) throw refuse(404, 'not_found', `models/${name} is not found for API version v1beta.`);
  if (request.stream === true || request.background === true) {
    throw invalid("The simulator does not support 'stream' or 'background' for interactions.");
  }
  const parsed = readInteraction(request, model, memory, incoming.credential);
  const id = `v1_${Buffer.from(newId(36)).toString('base64url')}`;
  incoming.record.upstreamId = id;
  if (parsed.isStored && parsed.directives.isBlocked !== true) {
    const historyTokens = parsed.inputTextTokens + parsed.inputImageTokens + parsed.imageTokens;
    memory.interactions.keep(id, { credential: incoming.credential, historyTokens });
  }
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: geminiHeaders(),
    usage: parsed.directives.isBlocked === true ? null : billOf(parsed, model),
    whole: () => whole(id, parsed, model),
  };
};

export const interactionsRoutes: readonly Route[] = API_VERSIONS.map((version) => ({
  method: 'POST',
  path: `/${version}/interactions`,
  protocol: 'gemini-interactions',
  handle,
  errors: interactionErrors,
}));
