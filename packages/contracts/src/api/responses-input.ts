import { isJsonObject, type JsonObject } from '../json/json-object.js';

export type InputMediaKind = 'image' | 'audio' | 'file';

/** Receives what the prompt of a request in the Responses protocol consists of. */
export interface ResponsesInputVisitor {
  text(text: string): void;
  /** `source`: a data URI, plain base64 or an address. Undefined: the part names a file of the vendor. */
  media(kind: InputMediaKind, source: string | undefined): void;
}

const stringOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The parts that hold media, by type. A screenshot and a generated image are images of an earlier turn. */
const MEDIA: Readonly<Record<string, (part: JsonObject) => readonly [InputMediaKind, string | undefined]>> = {
  input_image: ({ image_url: url }) => ['image', stringOr(url)],
  computer_screenshot: ({ image_url: url }) => ['image', stringOr(url)],
  image_generation_call: ({ result }) => ['image', stringOr(result)],
  input_audio: ({ input_audio: audio }) => ['audio', isJsonObject(audio) ? stringOr(audio.data) : undefined],
  input_file: ({ file_data: data }) => ['file', stringOr(data)],
};

function visit(value: unknown, visitor: ResponsesInputVisitor): void {
  if (typeof value === 'string') visitor.text(value);
  else if (Array.isArray(value)) for (const element of value) visit(element, visitor);
  else if (isJsonObject(value)) visitObject(value, visitor);
}

/** Every text of an item counts: its kind may be one that the vendor added later. */
function visitObject(value: JsonObject, visitor: ResponsesInputVisitor): void {
  const media = Object.hasOwn(MEDIA, String(value.type)) ? MEDIA[String(value.type)] : undefined;
  if (media !== undefined) visitor.media(...media(value));
  else for (const member in value) visit(value[member], visitor);
}

/** Visits instructions, input, tools and output format of a request, which may be invalid. Never throws. */
export function visitResponsesInput(request: JsonObject, visitor: ResponsesInputVisitor): void {
  visit(request.instructions, visitor);
  visit(request.input, visitor);
  for (const definition of [request.tools, request.text]) {
    if (definition != null) visitor.text(JSON.stringify(definition));
  }
}
