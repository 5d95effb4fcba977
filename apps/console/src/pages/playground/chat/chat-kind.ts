import { msg } from '@lingui/core/macro';
import type { Model } from '../../../api/models.js';
import { tokensOf } from '../bench/estimate-cost.js';
import { CutStream } from '../bench/failures.js';
import type { Kind, ReadContext } from '../bench/kind.js';
import { readEvents } from '../bench/read-events.js';
import { ChatForm } from './chat-form.jsx';
import { ChatResult } from './chat-result.jsx';
import { ChatSettingsForm } from './chat-settings.jsx';
import { type ChatAnswer, isAudio, isImage, NO_ANSWER } from './conversation.js';
import { DIALECTS, servesDialect } from './dialects.js';
import { afterSend, type ChatDraft, FIRST_CHAT, hasWrongTool, settingsOf, toolsOf } from './draft.js';
import { turnOf } from './turn-of.js';

function problemOf(draft: ChatDraft, models: readonly Model[]) {
  const { attachments, dialect } = draft;
  if (models.some((model) => !servesDialect(model, dialect))) {
    return msg`One of the models does not serve this format. Choose another format.`;
  }
  if (Number.isNaN(settingsOf(draft).temperature)) return msg`The temperature is a number, such as 0.7.`;
  if (hasWrongTool(draft)) return msg`A function needs a name, and a JSON schema of its arguments.`;
  if (attachments.some(({ mediaType }) => !DIALECTS[dialect].takes(mediaType))) {
    return msg`This format has no audio. Choose another format.`;
  }
  const takes = (model: Model, mediaType: string): boolean => {
    const inputs = model.capabilities.chat?.inputs ?? [];
    if (isImage(mediaType)) return inputs.includes('image');
    return inputs.includes(isAudio(mediaType) ? 'audio' : 'file');
  };
  if (models.some((model) => attachments.some(({ mediaType }) => !takes(model, mediaType)))) {
    return msg`One of the models does not take such a file.`;
  }
  return undefined;
}

async function read({ request, response, emit }: ReadContext<ChatAnswer>): Promise<void> {
  const dialect = Object.values(DIALECTS).find(({ path }) => request.path.startsWith(path.split('{')[0] ?? path));
  if (dialect === undefined) throw new Error(`no dialect reads ${request.path}`);
  let answer = NO_ANSWER;
  await readEvents(response, (event) => {
    answer = dialect.read(answer, event);
    emit(answer);
  });
  if (answer.finish === null) throw new CutStream('The stream ended before the answer did.');
}

/** Chat in every client format. */
export const CHAT: Kind<ChatDraft, ChatAnswer> = {
  isConversation: true,
  first: FIRST_CHAT,
  examples: [
    msg`Explain how a prepaid balance differs from an invoice, in three sentences.`,
    msg`Write a function that finds the longest common prefix of a list of words, with a test.`,
    msg`Make a table of the planets with their radius and their day.`,
    msg`Translate “The meeting moved to Thursday” into French, German and Japanese.`,
  ].map((label) => ({ label, fill: (text) => ({ text }) })),
  isReady: ({ text, attachments, results }) => text.trim() !== '' || attachments.length > 0 || results.length > 0,
  problemOf,
  build: ({ model, draft, history }) =>
    DIALECTS[draft.dialect].build({
      model,
      system: draft.system.trim(),
      tools: toolsOf(draft),
      settings: settingsOf(draft),
      turns: history.flatMap(turnOf),
      input: draft,
    }),
  after: afterSend,
  start: NO_ANSWER,
  read,
  unitsOf: ({ usage, text, thinking, calls }, quote) => {
    const args = calls.reduce((sum, call) => sum + call.arguments.length, 0);
    const cached = usage?.cached ?? 0;
    return {
      ...(quote?.units ?? {}),
      ...(usage !== null && { input_token: usage.input - cached, cached_input_token: cached }),
      output_token: usage === null || usage.output <= 1 ? tokensOf(text.length + thinking.length + args) : usage.output,
    };
  },
  Form: ChatForm,
  Settings: ChatSettingsForm,
  Result: ChatResult,
};
