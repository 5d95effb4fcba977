import {
  type ChatCompletionRequest,
  type ChatMessage,
  type ContentMedia,
  type ContentSize,
  estimateTokens,
  type MessagesSize,
  textSize,
} from '@gateway/contracts';

const IMAGE_TOKENS = 85;
const FILE_TOKENS = 500;
const RECORDING_TOKENS = 250;

/** Assumed tokens of one content part that is not text. */
const TOKENS_OF_PART: Readonly<Record<string, number>> = {
  image_url: IMAGE_TOKENS,
  audio_url: RECORDING_TOKENS,
  input_audio: RECORDING_TOKENS,
  video_url: 500,
  video: 500,
  file: FILE_TOKENS,
};

interface Sum {
  textSize: number;
  partTokens: number;
}

function addContent(content: ChatMessage['content'], sum: Sum): void {
  if (typeof content === 'string') {
    sum.textSize += textSize(content);
    return;
  }
  for (const part of content ?? []) {
    if (part.type === 'text') sum.textSize += textSize(part.text);
    else if (part.type === 'refusal') sum.textSize += textSize(part.refusal);
    else sum.partTokens += TOKENS_OF_PART[part.type] ?? 0;
  }
}

function addToolCalls(message: ChatMessage, sum: Sum): void {
  if (message.role !== 'assistant') return;
  for (const call of message.tool_calls ?? []) {
    const [name, input] =
      call.type === 'custom' ? [call.custom.name, call.custom.input] : [call.function.name, call.function.arguments];
    sum.textSize += textSize(name) + textSize(input);
  }
}

/**
 * Estimates the prompt tokens of a chat request. Adds the expected tokens of all text, rounded up once, and a flat
 * number for each image, audio, video and file. Text includes tool calls and tool definitions.
 */
export function estimateInputTokens(request: Pick<ChatCompletionRequest, 'messages' | 'tools'>): number {
  const sum: Sum = { textSize: 0, partTokens: 0 };
  for (const message of request.messages) {
    addContent(message.content, sum);
    addToolCalls(message, sum);
  }
  for (const tool of request.tools ?? [])
    sum.textSize += textSize(JSON.stringify(tool.type === 'custom' ? tool.custom : tool.function));
  return sum.partTokens + estimateTokens(sum.textSize);
}

/** As `estimateInputTokens`, for a measured request in the native messages format. */
export const estimateMessagesTokens = ({ textSize, images, files }: MessagesSize): number =>
  estimateTokens(textSize) + images * IMAGE_TOKENS + files * FILE_TOKENS;

const TOKENS_OF_MEDIA: Readonly<Record<ContentMedia['kind'], number>> = {
  image: IMAGE_TOKENS,
  audio: 250,
  video: 500,
  file: FILE_TOKENS,
};

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + textSize(text), 0);

/** As `estimateInputTokens`, for a measured request in Google's native format. */
export const estimateContentTokens = ({ texts, structured, media }: ContentSize): number =>
  media.reduce((sum, { kind }) => sum + TOKENS_OF_MEDIA[kind], estimateTokens(sizeOf(texts) + sizeOf(structured)));
interface ResponsesSize extends Omit<MessagesSize, 'caching'> {
  readonly recordings: number;
}

/** As `estimateInputTokens`, for a measured request in the Responses protocol. */
export const estimateResponsesTokens = ({ textSize, images, files, recordings }: ResponsesSize): number =>
  estimateTokens(textSize) + images * IMAGE_TOKENS + files * FILE_TOKENS + recordings * RECORDING_TOKENS;
