import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { parseUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { replaceTopMembers } from '../json/replace-member.js';

/** Returns what an address becomes. */
export type RenameAddress = (address: string) => string;

const ADDRESS = /^https?:\/\//i;

/** Where responses name their images: OpenAI's list, and DashScope's messages. */
const PLACES: Readonly<Record<string, (value: unknown, rename: RenameAddress) => unknown>> = {
  data: (list, rename) => mapObjects(list, (entry) => renamed(entry, 'url', rename)),
  output: (output, rename) =>
    mapMember(output, 'choices', (choices) =>
      mapObjects(choices, (choice) =>
        mapMember(choice, 'message', (message) =>
          mapMember(message, 'content', (parts) => mapObjects(parts, (part) => renamed(part, 'image', rename))),
        ),
      ),
    ),
};

/**
 * Replaces the http addresses of images in a response. Without one, the result is the same buffer. Every other member of
 * the response keeps its bytes. Throws a GatewayError (`upstream_error`) if the input is no JSON object.
 */
export const renameImages = (body: Buffer, rename: RenameAddress): Buffer =>
  replaceTopMembers(body, (name, value) => {
    const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
    if (place === undefined) return undefined;
    const { count, counting } = counted(rename);
    const after = place(parseUpstreamJson(value), counting);
    return count() === 0 ? undefined : stringifyUpstreamJson(after);
  });

/** The same for the events of a stream of images, each with one image. The bytes must be whole events. */
export function renameStreamedImages(events: Buffer, rename: RenameAddress): Buffer {
  const { count, counting } = counted(rename);
  const lines = events.toString('utf8').split('\n');
  const after = lines.map((line) => (line.startsWith('data: {') ? renamedLine(line, counting) : line));
  return count() === 0 ? events : Buffer.from(after.join('\n'));
}

function renamedLine(line: string, rename: RenameAddress): string {
  const event = parseUpstreamJson(Buffer.from(line.slice('data: '.length)));
  const after = isJsonObject(event) ? renamed(event, 'url', rename) : event;
  return after === event ? line : `data: ${stringifyUpstreamJson(after)}`;
}

function counted(rename: RenameAddress) {
  let seen = 0;
  const counting: RenameAddress = (address) => {
    seen += 1;
    return rename(address);
  };
  return { counting, count: (): number => seen };
}

function renamed(entry: JsonObject, member: string, rename: RenameAddress): JsonObject {
  const address = entry[member];
  return typeof address === 'string' && ADDRESS.test(address) ? { ...entry, [member]: rename(address) } : entry;
}

const mapObjects = (value: unknown, change: (entry: JsonObject) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry) => (isJsonObject(entry) ? change(entry) : entry)) : value;

const mapMember = (value: unknown, member: string, change: (of: unknown) => unknown): unknown =>
  isJsonObject(value) && Object.hasOwn(value, member) ? { ...value, [member]: change(value[member]) } : value;
