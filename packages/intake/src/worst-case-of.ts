import { type CatalogueModel, speaksMessages, withCapability } from '@gateway/catalogue';
import { type Endpoint, NO_USAGE, type Usage } from '@gateway/contracts';
import { validateSpeech } from './audio-speech/validate-speech.js';
import { worstCaseOfSpeech } from './audio-speech/worst-case-of-speech.js';
import { validateChat } from './chat-completions/validate-chat.js';
import { worstCaseOfChat } from './chat-completions/worst-case-of-chat.js';
import { validateEmbeddings } from './embeddings/validate-embeddings.js';
import { worstCaseOfEmbeddings } from './embeddings/worst-case-of-embeddings.js';
import { formOfJson } from './images-edits/form-of-json.js';
import { validateImageEdit } from './images-edits/validate-image-edit.js';
import { readImageRequest } from './images-generations/read-image-request.js';
import { validateCountTokens, validateMessages } from './messages/validate-messages.js';
import { worstCaseOfMessages } from './messages/worst-case-of-messages.js';
import { rejectDeepJson } from './reject-deep-json.js';
import type { VideoDraft } from './videos-generations/billed-video.js';
import { readVideoRequest } from './videos-generations/read-video-request.js';

type Body = Record<string, unknown>;

/** What the most is that a request can use, by its endpoint. Throws a 400 that names the field. */
const WORST_CASES: Readonly<Record<Endpoint, (body: Body, model: CatalogueModel, draft?: VideoDraft) => Usage>> = {
  'chat.completions': (body, model) => {
    const chat = withCapability(model, 'chat');
    return worstCaseOfChat(validateChat(body, chat), chat);
  },
  messages: (body, model) => {
    const { maxTokens } = validateMessages(body, withCapability(model, 'chat'));
    return worstCaseOfMessages(body, maxTokens, speaksMessages(model));
  },
  'messages.count_tokens': (body, model) => {
    validateCountTokens(body, withCapability(model, 'chat'));
    return NO_USAGE;
  },
  embeddings: (body, model) => worstCaseOfEmbeddings(validateEmbeddings(body, withCapability(model, 'embeddings'))),
  'audio.speech': (body, model) => worstCaseOfSpeech(validateSpeech(body, withCapability(model, 'speech'))),
  'images.generations': (body, model) =>
    readImageRequest(body, model.id, withCapability(model, 'imageGeneration').imageGeneration).worstCase,
  'images.edits': (body, model) =>
    validateImageEdit(formOfJson(body), model.id, withCapability(model, 'imageEdits').imageEdits.traits).worstCase,
  'videos.generations': (body, model, draft) => readVideoRequest(body, withCapability(model, 'video'), draft).worstCase,
};

/**
 * The most that a request can use, of whichever endpoint it is: for those who only want to know. `draft`: the one that a
 * video is to be the whole of.
 */
export function worstCaseOf(endpoint: Endpoint, body: Body, model: CatalogueModel, draft?: VideoDraft): Usage {
  rejectDeepJson(body);
  return WORST_CASES[endpoint](body, model, draft);
}
