import { estimateTokens, type MediaKind, type NeutralMessage, type NeutralRequest, textSize } from '@gateway/contracts';

/** Assumed tokens of one part that is not text. */
const TOKENS_OF_MEDIA: Readonly<Record<MediaKind, number>> = { image: 85, audio: 250, video: 500, file: 500 };

interface Sum {
  textSize: number;
  mediaTokens: number;
}

type Part = NeutralMessage['content'][number];

function addPart(part: Part, sum: Sum): void {
  switch (part.type) {
    case 'text':
    case 'refusal':
      sum.textSize += textSize(part.text);
      return;
    case 'tool-call':
      sum.textSize += textSize(part.name) + textSize(part.input);
      return;
    case 'media':
      sum.mediaTokens += TOKENS_OF_MEDIA[part.media];
      return;
    case 'tool-result':
      for (const inside of part.content) addPart(inside, sum);
      return;
    case 'reasoning':
    case 'vendor':
  }
}

/** The size of a tool's definition as an upstream gets it. */
const toolSize = (tool: NonNullable<NeutralRequest['tools']>[number]): number => {
  if (tool.type === 'vendor') return textSize(JSON.stringify(tool.tool));
  const { type: _type, ...definition } = tool;
  return textSize(JSON.stringify(definition));
};

/**
 * Estimates the prompt tokens of a request. Adds the expected tokens of all text, rounded up once, and a flat
 * number for each image, sound, video and file. Text includes tool calls and tool definitions.
 */
export function estimatePromptTokens({ messages, tools = [] }: Pick<NeutralRequest, 'messages' | 'tools'>): number {
  const sum: Sum = { textSize: 0, mediaTokens: 0 };
  for (const { content } of messages) for (const part of content) addPart(part, sum);
  for (const tool of tools) sum.textSize += toolSize(tool);
  return sum.mediaTokens + estimateTokens(sum.textSize);
}
