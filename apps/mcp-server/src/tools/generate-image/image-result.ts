import type { ContentBlock } from '@modelcontextprotocol/server';
import type { AnswerFacts } from '../../gateway.js';
import type { JsonObject, ToolAnswer } from '../../tool.js';
import { ToolFailure } from '../../tool-failure.js';
import { asJsonText, asLink, asPicture, asText } from '../content.js';

type Fields = JsonObject;

const EXPIRY = 'The result, kept by its vendor for about a day.';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const linkTo = (uri: string, index: number): ContentBlock => {
  const extension = /\.(png|jpe?g|webp)(?=$|\?)/i.exec(uri)?.[1]?.toLowerCase() ?? 'png';
  const mimeType = `image/${extension === 'jpg' ? 'jpeg' : extension}`;
  return asLink(uri, `image-${index + 1}.${extension}`, mimeType, EXPIRY);
};

/** `data: [{b64_json | url}]`, of GP, Seedream and Grok-type models. */
const fromData = (answer: Fields): ContentBlock[] =>
  listOf(answer.data).flatMap(({ b64_json: base64, url }, index) => {
    if (typeof base64 === 'string') return [asPicture(base64)];
    return typeof url === 'string' ? [linkTo(url, index)] : [];
  });

/** `output.choices[].message.content[].image`, of the Qwen-style family. */
const fromChoices = (answer: Fields): ContentBlock[] =>
  listOf((answer.output as Fields | undefined)?.choices)
    .flatMap(({ message }) => listOf((message as Fields | undefined)?.content))
    .flatMap(({ image }, index) => (typeof image === 'string' ? [linkTo(image, index)] : []));

/** `steps[].content[]`, of interactions, which may speak as well. */
const fromSteps = (answer: Fields): ContentBlock[] =>
  listOf(answer.steps)
    .flatMap(({ content }) => listOf(content))
    .flatMap(({ type, data, mime_type: mimeType, text }) => {
      if (type === 'image' && typeof data === 'string') return [asPicture(data, mimeType as string | undefined)];
      return type === 'text' && typeof text === 'string' ? [asText(text)] : [];
    });

/** The answer without its pictures, which stand in the content. */
function withoutPictures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPictures);
  if (typeof value !== 'object' || value === null) return value;
  const isPicture = 'type' in value && value.type === 'image';
  const kept = Object.entries(value).filter(([name]) => name !== 'b64_json' && !(isPicture && name === 'data'));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPictures(inner)]));
}

/** An answer of any image family as a model can see it. */
export function imageResult(answer: JsonObject, facts: AnswerFacts): ToolAnswer {
  if (answer.status === 'failed') throw failedInteraction(answer, facts);
  const pictures = [...fromData(answer), ...fromChoices(answer), ...fromSteps(answer)];
  const structured = { ...(withoutPictures(answer) as JsonObject), gateway: facts };
  return { structured, content: [...pictures, asJsonText(structured)] };
}

/** The interaction family tells a refusal with status 200. */
function failedInteraction({ errors }: JsonObject, { request_id: requestId }: AnswerFacts): ToolFailure {
  const [first] = listOf(errors);
  const words =
    typeof first?.message === 'string'
      ? first.message
      : 'The model made no image: it was blocked, or its quota is used up.';
  return new ToolFailure(typeof first?.code === 'string' ? first.code : 'interaction_failed', words, { requestId });
}
