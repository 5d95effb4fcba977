import type { ContentBlock } from '@modelcontextprotocol/server';
import type { ResponseFacts } from '../../gateway.js';
import type { JsonObject, ToolResult } from '../../tool.js';
import { ToolFailure } from '../../tool-failure.js';
import { asImage, asJsonText, asLink, asText } from '../content.js';

type Fields = JsonObject;

const EXPIRY = 'The image. Its vendor stores it for about a day.';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const linkTo = (uri: string, index: number): ContentBlock => {
  const extension = /\.(png|jpe?g|webp)(?=$|\?)/i.exec(uri)?.[1]?.toLowerCase() ?? 'png';
  const mimeType = `image/${extension === 'jpg' ? 'jpeg' : extension}`;
  return asLink(uri, `image-${index + 1}.${extension}`, mimeType, EXPIRY);
};

/** Reads `data: [{b64_json | url}]` of the gp, seedream and grok families. */
const fromData = (response: Fields): ContentBlock[] =>
  listOf(response.data).flatMap(({ b64_json: base64, url }, index) => {
    if (typeof base64 === 'string') return [asImage(base64)];
    return typeof url === 'string' ? [linkTo(url, index)] : [];
  });

/** Reads `output.choices[].message.content[].image` of the qn family. */
const fromChoices = (response: Fields): ContentBlock[] =>
  listOf((response.output as Fields | undefined)?.choices)
    .flatMap(({ message }) => listOf((message as Fields | undefined)?.content))
    .flatMap(({ image }, index) => (typeof image === 'string' ? [linkTo(image, index)] : []));

/** Reads `steps[].content[]` of the gm family: images and text. */
const fromSteps = (response: Fields): ContentBlock[] =>
  listOf(response.steps)
    .flatMap(({ content }) => listOf(content))
    .flatMap(({ type, data, mime_type: mimeType, text }) => {
      if (type === 'image' && typeof data === 'string') return [asImage(data, mimeType as string | undefined)];
      return type === 'text' && typeof text === 'string' ? [asText(text)] : [];
    });

/** Removes the image data: `content` carries it. */
function withoutImageData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutImageData);
  if (typeof value !== 'object' || value === null) return value;
  const isImage = 'type' in value && value.type === 'image';
  const remaining = Object.entries(value).filter(([name]) => name !== 'b64_json' && !(isImage && name === 'data'));
  return Object.fromEntries(remaining.map(([name, inner]) => [name, withoutImageData(inner)]));
}

/** Converts a response of any image family to a tool result. */
export function imageResult(response: JsonObject, facts: ResponseFacts): ToolResult {
  if (response.status === 'failed') throw failedInteraction(response, facts);
  const images = [...fromData(response), ...fromChoices(response), ...fromSteps(response)];
  const structured = { ...(withoutImageData(response) as JsonObject), gateway: facts };
  return { structured, content: [...images, asJsonText(structured)] };
}

/** The gm family reports a refusal with status 200. */
function failedInteraction({ errors }: JsonObject, { request_id: requestId }: ResponseFacts): ToolFailure {
  const [first] = listOf(errors);
  const text =
    typeof first?.message === 'string'
      ? first.message
      : 'The model made no image: the request was blocked, or its quota is used up.';
  return new ToolFailure(typeof first?.code === 'string' ? first.code : 'interaction_failed', text, { requestId });
}
