import { type ChatCompletionRequest, type ChatMessage, estimateTokens } from '@gateway/contracts';

/** What is assumed for one part that is not text. */
const TOKENS_OF_PART: Readonly<Record<string, number>> = {
  image_url: 85,
  audio_url: 250,
  input_audio: 250,
  video_url: 500,
  video: 500,
  file: 500,
};

interface Sum {
  utf8Bytes: number;
  partTokens: number;
}

function addContent(content: ChatMessage['content'], sum: Sum): void {
  if (typeof content === 'string') {
    sum.utf8Bytes += Buffer.byteLength(content);
    return;
  }
  for (const part of content ?? []) {
    if (part.type === 'text') sum.utf8Bytes += Buffer.byteLength(part.text);
    else if (part.type === 'refusal') sum.utf8Bytes += Buffer.byteLength(part.refusal);
    else sum.partTokens += TOKENS_OF_PART[part.type] ?? 0;
  }
}

function addToolCalls(message: ChatMessage, sum: Sum): void {
  if (message.role !== 'assistant') return;
  for (const { function: called } of message.tool_calls ?? []) {
    sum.utf8Bytes += Buffer.byteLength(called.name) + Buffer.byteLength(called.arguments);
  }
}

/**
 * What a prompt is taken for until an upstream has counted it: the UTF-8 bytes of all text (messages, tool calls and
 * tool definitions) divided by four and rounded up once, and a flat number for each image, audio, video and file.
 */
export function estimateInputTokens(request: Pick<ChatCompletionRequest, 'messages' | 'tools'>): number {
  const sum: Sum = { utf8Bytes: 0, partTokens: 0 };
  for (const message of request.messages) {
    addContent(message.content, sum);
    addToolCalls(message, sum);
  }
  for (const tool of request.tools ?? []) sum.utf8Bytes += Buffer.byteLength(JSON.stringify(tool.function));
  return sum.partTokens + estimateTokens(sum.utf8Bytes);
}
