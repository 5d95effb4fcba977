import {
  type Capability,
  type CatalogueModel,
  hasNativeGenerate,
  hasNativeMessages,
  hasNativeResponses,
  type ModelWithCapability,
  withCapability,
} from '@gateway/catalogue';
import { type Changes, type Endpoint, mergeChanges, NO_CHANGES, NO_USAGE } from '@gateway/contracts';
import { type FieldTableId, isOpenAiImageBody } from '@gateway/upstreams';
import {
  contractOfChat,
  contractOfGenerate,
  contractOfMessages,
  contractOfResponses,
} from './abort-contract/decide-abort-contract.js';
import { validateSpeech, worstCaseOfSpeech } from './audio-speech/validate-speech.js';
import { withAnswerForm } from './chat-completions/answer-form.js';
import { fitStandInChat } from './chat-completions/fit-stand-in-chat.js';
import { chatOfFunctions } from './chat-completions/functions.js';
import { withImageObjects } from './chat-completions/image-addresses.js';
import { respell } from './chat-completions/other-spellings.js';
import { chatOfResponsesForm } from './chat-completions/responses-form.js';
import { withPublishedEffort } from './chat-completions/spelled-reasoning.js';
import { withShownToolMedia } from './chat-completions/tool-media.js';
import { validateChat } from './chat-completions/validate-chat.js';
import { worstCaseOfChat } from './chat-completions/worst-case-of-chat.js';
import { validateCompletions } from './completions/validate-completions.js';
import { worstCaseOfCalls } from './completions/worst-case-of-calls.js';
import { decodeTokens, TOKENIZER } from './embeddings/decode-tokens.js';
import { validateEmbedContents } from './embeddings/validate-embed-contents.js';
import { renameDimensions, validateEmbeddings, worstCaseOfEmbeddings } from './embeddings/validate-embeddings.js';
import { validateContentCount, validateGenerate } from './generate-content/validate-generate.js';
import { validateGenerateImage } from './generate-content/validate-generate-image.js';
import { withLists } from './generate-content/with-lists.js';
import { worstCaseOfGenerate } from './generate-content/worst-case-of-generate.js';
import { validateImageRequest } from './images-generations/validate-image-request.js';
import { validateInteractions } from './interactions/validate-interactions.js';
import { checkKnownFields } from './known-fields.js';
import { validateCountTokens, validateMessages } from './messages/validate-messages.js';
import { worstCaseOfMessages } from './messages/worst-case-of-messages.js';
import { validateRerank, worstCaseOfRerank } from './rerank/validate-rerank.js';
import { type KeyAccess, mayUseEndpoint, mayUseModel } from './resolve-model.js';
import { fitStandIn } from './responses/fit-stand-in.js';
import { validateCompact, validateResponses, validateResponsesCount } from './responses/validate-responses.js';
import { worstCaseOfCompact, worstCaseOfResponses } from './responses/worst-case-of-responses.js';
import type { Rewritten } from './rewritten.js';
import { validateTranscription, withoutUnusedTimes } from './transcriptions/validate-transcription.js';
import type { ValidJsonRequest } from './valid-json-request.js';

type Body = Record<string, unknown>;

/** An endpoint that takes a JSON body and relays one response. */
export interface JsonEndpointRow {
  /** The model must have this capability, or the catalogue is wrong. */
  readonly capability: Capability;
  /** A capability that serves the endpoint in its place. */
  readonly otherCapability?: Capability;
  /** Checks the body by the model's rules. Throws a 400 that names the field. */
  readonly validate: (body: Body, model: CatalogueModel) => ValidJsonRequest;
  /** The upstream must see the protocol version headers of the client. */
  readonly forwardsVersion?: true;
  /** Its body may continue a stored response. `kept`: its own response is stored, too. */
  readonly state?: 'read' | 'kept';
  /** True for a body in the endpoint's own form, although the model's family has another one: its errors are the endpoint's too. */
  readonly isEndpointForm?: (body: Body, model: CatalogueModel) => boolean;
  /** Clients send a form, which the edge turns into this body. A quote takes the body itself. */
  readonly isForm?: true;
  /** Costs nothing, so `Idempotency-Key` has no effect. */
  readonly isFree?: true;
}

const row = <Name extends Capability>(
  capability: Name,
  validate: (body: Body, model: ModelWithCapability<Name>) => ValidJsonRequest,
  options: Omit<JsonEndpointRow, 'capability' | 'validate'> = {},
): JsonEndpointRow => ({
  capability,
  validate: (body, model) => validate(body, withCapability(model, capability)),
  ...options,
});

const messagesTableOf = (model: CatalogueModel): FieldTableId =>
  hasNativeMessages(model) ? 'messages-pass-through' : 'messages-to-neutral';

const responsesTableOf = (model: CatalogueModel): FieldTableId =>
  hasNativeResponses(model) ? 'responses-pass-through' : 'responses-to-neutral';

const generateTableOf = (model: CatalogueModel): FieldTableId =>
  hasNativeGenerate(model) ? 'generate-pass-through' : 'generate-to-neutral';

/** A stream of a model that never streams is made of its whole answer. */
const UNSTREAMED: Changes = { filled: { stream: 'false' }, dropped: [] };

const streamChanges = (isStream: boolean, { chat }: ModelWithCapability<'chat'>): Changes =>
  isStream && chat.traits.neverStreams === true ? UNSTREAMED : NO_CHANGES;

function validateChatRow(body: Body, model: ModelWithCapability<'chat'>): ValidJsonRequest {
  const request = validateChat(body, model);
  return {
    ...worstCaseOfChat(request, model),
    isStream: request.stream === true,
    changes: mergeChanges(checkKnownFields(body, model.chat.protocol), streamChanges(body.stream === true, model)),
    abortContract: contractOfChat(request, model),
  };
}

/** What clients write otherwise than OpenAI publishes it, in order: each step reads the body of the one before. */
const CHAT_SPELLINGS: readonly ((body: Body, model: ModelWithCapability<'chat'>) => Rewritten | undefined)[] = [
  chatOfResponsesForm,
  chatOfFunctions,
  withImageObjects,
  withShownToolMedia,
  withPublishedEffort,
  respell,
  fitStandInChat,
];

/** The same for a client's own body, whose published form counts. */
function validateClientChat(body: Body, model: ModelWithCapability<'chat'>): ValidJsonRequest {
  let rewritten: Rewritten | undefined;
  for (const spelling of CHAT_SPELLINGS) {
    const { body: published, changes } = spelling(rewritten?.body ?? body, model) ?? {};
    if (published === undefined) continue;
    rewritten = { body: published, changes: mergeChanges(rewritten?.changes, changes) };
  }
  if (rewritten === undefined) return validateChatRow(body, model);
  const valid = validateChatRow(rewritten.body, model);
  const changes = mergeChanges(rewritten.changes, valid.changes);
  return { ...valid, changes, rewritten: withAnswerForm(rewritten.body, body) };
}

/** A method of Google's API that image models serve too. Their errors have its form. */
const contentRow = (
  validate: JsonEndpointRow['validate'],
  options: Pick<JsonEndpointRow, 'isFree' | 'state'> = {},
): JsonEndpointRow => ({
  capability: 'chat',
  otherCapability: 'imageGeneration',
  isEndpointForm: () => true,
  validate,
  ...options,
});

/** Reads a list where the client has written its only entry, as Google does. The worker gets the list. */
const listed = (row: JsonEndpointRow): JsonEndpointRow => ({
  ...row,
  validate: (body, model) => {
    const read = withLists(body);
    const valid = row.validate(read, model);
    return read === body ? valid : { rewritten: read, ...valid };
  },
});

/** `streamGenerateContent` differs from `generateContent` in its response only. */
const generateRow = (isStream: boolean): JsonEndpointRow =>
  listed(
    contentRow((body, served) => {
      if (served.chat === undefined) {
        const valid = validateGenerateImage(body, served);
        return { ...valid, isStream, changes: mergeChanges(valid.changes, isStream ? UNSTREAMED : undefined) };
      }
      const model = withCapability(served, 'chat');
      const request = validateGenerate(body, model);
      return {
        ...worstCaseOfGenerate(request, model),
        isStream,
        changes: mergeChanges(checkKnownFields(body, generateTableOf(model)), streamChanges(isStream, model)),
        abortContract: contractOfGenerate(request, model, isStream),
      };
    }),
  );

const embedContentRow = (isBatch: boolean): JsonEndpointRow =>
  listed(
    row('embeddings', (body, model) => {
      const { worstCase, changes } = validateEmbedContents(body, model, isBatch);
      const known = checkKnownFields(body, 'embed-content');
      return { worstCase, isStream: false, abortContract: 'completes', changes: mergeChanges(known, changes) };
    }),
  );

/** All JSON endpoints. The edge serves each row, and accounts quotes by the same row: a quote and a hold cannot differ. */
export const JSON_ENDPOINTS = {
  'chat.completions': row('chat', validateClientChat),
  completions: row('chat', (body, model) => {
    const chats = validateCompletions(body, model);
    const [chat, ...others] = chats;
    const valid = validateChatRow(chat, model);
    if (others.length === 0) return { ...valid, rewritten: { chat } };
    const worstCase = worstCaseOfCalls([valid, ...others.map((other) => validateChatRow(other, model))]);
    const { leastOutputTokens: _, ...held } = valid;
    return { ...held, worstCase, rewritten: { chats } };
  }),
  responses: row(
    'chat',
    (body, model) => {
      // A field that is never served is named first: without it, another one may be missing.
      const known = checkKnownFields(body, responsesTableOf(model));
      const fitted = fitStandIn(body, model);
      const request = validateResponses(fitted?.body ?? body, model);
      return {
        ...worstCaseOfResponses(request, model),
        isStream: request.stream === true,
        changes: mergeChanges(known, fitted?.changes),
        abortContract: contractOfResponses(request, model),
        ...(fitted !== undefined && { rewritten: fitted.body }),
      };
    },
    { state: 'kept' },
  ),
  'responses.input_tokens': row(
    'chat',
    (body, model) => {
      const changes = checkKnownFields(body, responsesTableOf(model));
      validateResponsesCount(body);
      return { worstCase: NO_USAGE, isStream: false, abortContract: 'stops', changes };
    },
    { isFree: true, state: 'read' },
  ),
  'responses.compact': row(
    'chat',
    (body, model) => {
      const known = checkKnownFields(body, hasNativeResponses(model) ? 'responses-compact' : 'responses-to-neutral');
      const request = validateCompact(body, model);
      const isCapped = body.max_output_tokens != null && !hasNativeResponses(model);
      const changes = isCapped ? mergeChanges(known, { filled: {}, dropped: ['max_output_tokens'] }) : known;
      return { ...worstCaseOfCompact(request, model), isStream: false, abortContract: 'completes', changes };
    },
    { state: 'read' },
  ),
  messages: row(
    'chat',
    (body, model) => {
      const { isStream, maxTokens } = validateMessages(body, model);
      return {
        ...worstCaseOfMessages(body, maxTokens, model),
        isStream,
        changes: mergeChanges(
          checkKnownFields(body, messagesTableOf(model)),
          streamChanges(body.stream === true, model),
        ),
        abortContract: contractOfMessages(body, model),
      };
    },
    { forwardsVersion: true },
  ),
  'messages.count_tokens': row(
    'chat',
    (body, model) => {
      validateCountTokens(body, model);
      const changes = checkKnownFields(body, messagesTableOf(model));
      return { worstCase: NO_USAGE, isStream: false, abortContract: 'stops', changes };
    },
    { forwardsVersion: true, isFree: true },
  ),
  'models.generate_content': generateRow(false),
  'models.stream_generate_content': generateRow(true),
  'models.count_tokens': listed(
    contentRow(
      (body, model) => {
        validateContentCount(body, model);
        const changes = checkKnownFields(body, 'generate-count-tokens');
        return { worstCase: NO_USAGE, isStream: false, abortContract: 'stops', changes };
      },
      { isFree: true },
    ),
  ),
  interactions: contentRow(validateInteractions, { state: 'kept' }),
  'models.embed_content': embedContentRow(false),
  'models.batch_embed_contents': embedContentRow(true),
  embeddings: row('embeddings', (body, model) => {
    const input = decodeTokens(body.input);
    const decoded = input === undefined ? body : { ...body, input };
    const changes = checkKnownFields(decoded, model.embeddings.protocol);
    const valid = { worstCase: worstCaseOfEmbeddings(validateEmbeddings(decoded, model)), isStream: false } as const;
    const renamed = renameDimensions(decoded);
    if (input === undefined) {
      return { ...valid, changes, abortContract: 'completes', ...(renamed !== undefined && { rewritten: renamed }) };
    }
    const reported = mergeChanges(changes, { filled: { input: TOKENIZER }, dropped: [] });
    return { ...valid, changes: reported, abortContract: 'completes', rewritten: renamed ?? decoded };
  }),
  rerank: row('rerank', (body, model) => ({
    worstCase: worstCaseOfRerank(validateRerank(body, model)),
    isStream: false,
    changes: checkKnownFields(body, model.rerank.protocol),
    abortContract: 'completes',
  })),
  'audio.speech': row('speech', (body, model) => ({
    worstCase: worstCaseOfSpeech(validateSpeech(body, model)),
    isStream: false,
    changes: checkKnownFields(body, model.speech.protocol),
    // The vendor bills a text as a whole, and each text is known before its call.
    abortContract: 'stops',
  })),
  'audio.transcriptions': row(
    'chat',
    (body, model) => {
      const timed = withoutUnusedTimes(body);
      const rewritten = validateTranscription(timed.body, model);
      const valid = validateChatRow(rewritten.chat, model);
      return { ...valid, changes: mergeChanges(timed.changes, valid.changes), rewritten: { ...rewritten } };
    },
    { isForm: true },
  ),
  'images.generations': row(
    'imageGeneration',
    (body, model) => validateImageRequest(body, model.id, model.imageGeneration),
    {
      isEndpointForm: (body, { imageGeneration }) =>
        imageGeneration !== undefined && isOpenAiImageBody(imageGeneration.protocol, body),
    },
  ),
} as const satisfies Partial<Record<Endpoint, JsonEndpointRow>>;

export type JsonEndpoint = keyof typeof JSON_ENDPOINTS;

export const isJsonEndpoint = (endpoint: Endpoint): endpoint is JsonEndpoint => Object.hasOwn(JSON_ENDPOINTS, endpoint);

/** Whether a key could have asked for it itself: such a key may read it, too. `model`: by its id. */
export const mayAsk = (
  key: KeyAccess,
  { endpoint, model }: { readonly endpoint: Endpoint; readonly model: string },
): boolean => mayUseModel(key, { id: model }) && mayUseEndpoint(key, endpoint);
