import { type ChatCompletionRequest, visitResponsesInput } from '@gateway/contracts';

/**
 * How a request brings its media. `inline`: the body holds the bytes. `referenced`: the upstream fetches them, so only
 * the upstream knows their size.
 */
export type Media = 'none' | 'inline' | 'referenced';

type Fields = Readonly<Record<string, unknown>>;
type UserPart = Extract<ChatCompletionRequest['messages'][number], { role: 'user' }>['content'][number];

const MEDIA = ['none', 'inline', 'referenced'] as const satisfies readonly Media[];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const largerOf = (left: Media, right: Media): Media => (MEDIA.indexOf(left) > MEDIA.indexOf(right) ? left : right);
const ofAll = (found: readonly Media[]): Media => found.reduce(largerOf, 'none');
/** Anything but a data URI or plain base64 may be an address. */
const ofText = (text: string): Media => (/^(?:data:|[\w+/]+=*$)/.test(text.slice(0, 64)) ? 'inline' : 'referenced');

function ofPart(part: Exclude<UserPart, string>): Media {
  switch (part.type) {
    case 'text':
      return 'none';
    case 'image_url':
      return ofText(part.image_url.url);
    case 'video_url':
      return ofText(part.video_url.url);
    case 'audio_url':
      return ofText(part.audio_url.url);
    case 'video':
      return ofAll(part.video.map(ofText));
    case 'input_audio':
      return ofText(part.input_audio.data);
    case 'file':
      return part.file.file_data === undefined ? 'referenced' : ofText(part.file.file_data);
  }
}

export const mediaOfChat = ({ messages }: ChatCompletionRequest): Media =>
  ofAll(
    messages.map((message) =>
      message.role === 'user' && typeof message.content !== 'string' ? ofAll(message.content.map(ofPart)) : 'none',
    ),
  );

const MEDIA_BLOCKS: readonly unknown[] = ['image', 'document', 'container_upload'];
const TEXT_SOURCES: readonly unknown[] = ['text', 'content'];

/** A block may hold others: a tool's result, or a document made of blocks. */
function ofBlock(block: unknown): Media {
  if (!isFields(block)) return 'none';
  const source = isFields(block.source) ? block.source : {};
  const nested = ofContent(block.content);
  if (!MEDIA_BLOCKS.includes(block.type)) return nested;
  if (TEXT_SOURCES.includes(source.type)) return largerOf(nested, ofContent(source.content));
  return source.type === 'base64' ? 'inline' : 'referenced';
}

const ofContent = (content: unknown): Media => (Array.isArray(content) ? ofAll(content.map(ofBlock)) : 'none');

/** For a body in the native messages format, which may be invalid. */
export const mediaOfMessages = ({ system, messages }: Fields): Media =>
  largerOf(
    ofContent(system),
    Array.isArray(messages)
      ? ofAll(messages.map((message) => ofContent(isFields(message) ? message.content : null)))
      : 'none',
  );

/** For a body in the Responses protocol, which may be invalid. */
export function mediaOfResponses(request: Fields): Media {
  let found: Media = 'none';
  visitResponsesInput(request, {
    text: () => undefined,
    media: (_kind, source) => {
      found = largerOf(found, source === undefined ? 'referenced' : ofText(source));
    },
  });
  return found;
}
