import { type AnswerPart, type Citation, isJsonObject, type NeutralAnswer } from '@gateway/contracts';
import { malformedResponse, parseExactUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { meterAnswer } from '../metering/meter-answer.js';
import type { DecodedAnswer, NeutralCall } from '../protocol.js';
import { citationOf } from './citation.js';
import { errorInResponse } from './errors.js';
import { finishOf } from './finish.js';
import { messagesUsageOf } from './reported-usage.js';
import { redacted, signed } from './thinking-blocks.js';
import { readMessagesUsage } from './usage.js';
import { messageReply, type ReplyBlock } from './wire.js';

/** Decodes a whole message, block by block. */
export function decodeAnswer(body: Uint8Array, call: NeutralCall): DecodedAnswer {
  const json = parseExactUpstreamJson(body);
  if (isJsonObject(json) && json.type === 'error') throw errorInResponse(json);
  const parsed = messageReply.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  const message = parsed.data;
  const content = message.content.flatMap(partOf);
  const refusal = message.stop_reason === 'refusal' ? (message.stop_details?.explanation ?? '') : '';
  if (refusal !== '') content.push({ type: 'refusal', text: refusal });
  const reported = readMessagesUsage(message.usage);
  const counts = reported ?? meterAnswer(call.request, content).estimate();
  const answer: NeutralAnswer = {
    id: message.id,
    content,
    finish: finishOf(message.stop_reason ?? ''),
    stopSequence: message.stop_sequence ?? undefined,
    counts,
  };
  return { answer, usage: messagesUsageOf(counts, reported === undefined, message.usage), upstreamId: message.id };
}

function partOf(block: ReplyBlock): readonly AnswerPart[] {
  switch (block.type) {
    case 'text':
      return textOf(block);
    case 'thinking':
      return [
        { type: 'reasoning', text: block.thinking ?? '', ...(block.signature && { vendor: signed(block.signature) }) },
      ];
    case 'redacted_thinking':
      return block.data === undefined ? [] : [{ type: 'reasoning', text: '', vendor: redacted(block.data) }];
    case 'tool_use': {
      const { id, name, input } = block;
      if (id === undefined || name === undefined) throw malformedResponse();
      return [{ type: 'tool-call', id, name, kind: 'function', input: stringifyUpstreamJson(input ?? {}), path: '' }];
    }
    default:
      return [{ type: 'vendor', vendor: { protocol: 'anthropic-messages', data: block } }];
  }
}

function textOf({ text = '', citations }: ReplyBlock): readonly AnswerPart[] {
  if (text === '') return [];
  const read = (citations ?? []).map(citationOf).filter((one): one is Citation => one !== undefined);
  return [{ type: 'text', text, ...(read.length > 0 && { citations: read }) }];
}
