import type { TranscriptionEnvelope } from '@gateway/contracts';
import { openTranscription } from '@gateway/dialects';
import type { Planner } from '../execution-plan.js';
import { adaptChat } from './chat-adapter.js';
import { overChat } from './over-chat.js';

/** POST /v1/audio/transcriptions: a chat with one recording, whose answer is its text. */
export const adaptTranscription: Planner = (ticket, model, body, ids) => {
  const { chat, transcription } = JSON.parse(body.toString('utf8')) as TranscriptionEnvelope;
  const plan = adaptChat(ticket, model, Buffer.from(JSON.stringify(chat)), ids);
  return overChat(plan, openTranscription(transcription));
};
