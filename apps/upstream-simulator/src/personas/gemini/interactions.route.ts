import { type InvoiceUsage, invoiceOf, tokensOfBytes } from '../../count/tokens.js';
import { type Fields, isFields, textOf } from '../../json/fields.js';
import { MEDIA_TYPES, renderPicture } from '../../picture/picture.js';
import type { MadeReply, Memory, Received, Route } from '../persona.js';
import { newId } from '../vendor-ids.js';
import { geminiHeaders } from './gemini-errors.js';
import { interactionErrors, invalidInteraction, refuseInteraction } from './interaction-errors.js';
import { findInteractionModel, type InteractionModel } from './interaction-models.js';
import { type InteractionTask, readInteraction } from './read-interaction.js';

const SIGNATURE = Buffer.from('signature').toString('base64');

const parse = (received: Received): Fields => {
  try {
    const request: unknown = JSON.parse(received.body.toString('utf8'));
    if (isFields(request)) {
      return request;
    }
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw invalidInteraction('Invalid JSON payload received. Unexpected token.');
};

const remarkTokens = (model: InteractionModel): number => tokensOfBytes(Buffer.byteLength(model.remark));

const billOf = (task: InteractionTask, model: InteractionModel): InvoiceUsage =>
  invoiceOf(
    { input_image_token: task.inputImageTokens, output_image_token: task.pictureTokens },
    { input: task.inputTextTokens, output: remarkTokens(model) + task.thoughtTokens },
  );

const modality = (name: string, tokens: number): object[] => (tokens === 0 ? [] : [{ modality: name, tokens }]);

function usageOf(task: InteractionTask, model: InteractionModel): object {
  const isBlocked = task.directives.isBlocked === true;
  const input = task.inputTextTokens + task.inputImageTokens;
  const output = isBlocked ? 0 : task.pictureTokens + remarkTokens(model);
  const thoughts = isBlocked ? 0 : task.thoughtTokens;
  return {
    total_tokens: input + output + thoughts,
    total_input_tokens: input,
    input_tokens_by_modality: [...modality('text', task.inputTextTokens), ...modality('image', task.inputImageTokens)],
    total_cached_tokens: 0,
    total_output_tokens: output,
    ...(!isBlocked && { output_tokens_by_modality: modality('image', task.pictureTokens) }),
    total_tool_use_tokens: 0,
    total_thought_tokens: thoughts,
  };
}

function stepsOf(task: InteractionTask, model: InteractionModel): object[] {
  const { text, width, height, format } = task;
  const bytesAtLeast = task.directives.pictureBytes;
  const data = renderPicture({ text, width, height, format, bytesAtLeast }).toString('base64');
  return [
    ...(task.showsThoughts ? [{ signature: SIGNATURE, type: 'thought' }] : []),
    {
      content: [
        ...(model.remark === '' ? [] : [{ text: model.remark, type: 'text' }]),
        { mime_type: MEDIA_TYPES[format], data, type: 'image' },
      ],
      type: 'model_output',
    },
  ];
}

function whole(id: string, task: InteractionTask, model: InteractionModel): string {
  const now = new Date().toISOString();
  const isBlocked = task.directives.isBlocked === true;
  return JSON.stringify({
    id,
    status: isBlocked ? 'failed' : 'completed',
    ...(task.previousId !== undefined && { previous_interaction_id: task.previousId }),
    ...(task.directives.hidesUsage !== true && { usage: usageOf(task, model) }),
    created: now,
    updated: now,
    service_tier: 'standard',
    steps: isBlocked ? [] : stepsOf(task, model),
    ...(isBlocked && {
      errors: [{ code: 'blocked_by_safety', message: 'The request was blocked by safety filters.' }],
    }),
    object: 'interaction',
    model: model.id,
  });
}

const answer = (received: Received, memory: Memory): MadeReply => {
  const request = parse(received);
  const name = textOf(request.model);
  received.note.model = name;
  const model = findInteractionModel(name);
  if (model === undefined) {
    throw refuseInteraction(404, 'not_found', `models/${name} is not found for API version v1beta.`);
  }
  if (request.stream === true || request.background === true) {
    throw invalidInteraction('The simulator answers interactions whole and at once.');
  }
  const task = readInteraction(request, model, memory, received.credential);
  const id = `v1_${Buffer.from(newId(36)).toString('base64url')}`;
  received.note.upstreamId = id;
  if (task.isStored && task.directives.isBlocked !== true) {
    const historyTokens = task.inputTextTokens + task.inputImageTokens + task.pictureTokens;
    memory.interactions.keep(id, { credential: received.credential, historyTokens });
  }
  return {
    kind: 'made',
    directives: task.directives,
    headers: geminiHeaders(),
    usage: task.directives.isBlocked === true ? null : billOf(task, model),
    whole: () => whole(id, task, model),
  };
};

/** `POST /v1beta/interactions`. */
export const interactionsRoute: Route = {
  method: 'POST',
  path: '/v1beta/interactions',
  protocol: 'gemini-interactions',
  answer,
  errors: interactionErrors,
};
