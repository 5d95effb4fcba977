import {
  type AssistantPart,
  GatewayError,
  type GenerateContent,
  type GeneratePart,
  type MediaPart,
  mediaKindOf,
  type NeutralMessage,
  type TextPart,
  type ToolResultPart,
} from '@gateway/contracts';
import { CalledFunctions } from './called-functions.js';
import { signedParts } from './thought-signature.js';

/** Google's newer models take `assistant` too, and clients send it. */
const MODEL_ROLES: ReadonlySet<string> = new Set(['model', 'assistant']);

const isOfModel = (role: string | undefined): boolean => role !== undefined && MODEL_ROLES.has(role);

type UserPart = TextPart | MediaPart;

export const instructionText = (content: GenerateContent | undefined): string =>
  (content?.parts ?? []).map(({ text = '' }) => text).join('\n');

/** Decodes the conversation. Results of functions become a message of their own, before the rest of their content. */
export function decodeContents(contents: readonly GenerateContent[]): readonly NeutralMessage[] {
  const ids = callIdsOf(contents);
  return contents.flatMap(({ role, parts = [] }, index): NeutralMessage[] => {
    const path = `contents[${index}]`;
    const places = parts.map((part, at) => ({ part, path: `${path}.parts[${at}]` }));
    if (isOfModel(role)) {
      const content = places.flatMap((place) => assistantParts(place, ids));
      return content.length === 0 ? [] : [{ role: 'assistant', path, content }];
    }
    const results = places.flatMap((place) => toolResult(place, ids));
    const content = places.flatMap(userParts);
    return [
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, path, content: results }]),
      ...(content.length === 0 ? [] : [{ role: 'user' as const, path, content }]),
    ];
  });
}

type CallIds = ReadonlyMap<GeneratePart, string>;

function callIdsOf(contents: readonly GenerateContent[]): CallIds {
  const called = new CalledFunctions();
  for (const { role, parts = [] } of contents) {
    for (const part of parts) {
      const { functionCall, functionResponse } = part;
      if (isOfModel(role)) {
        if (functionCall !== undefined) called.addCall(part, functionCall);
      } else if (functionResponse !== undefined) called.addResult(part, functionResponse);
    }
  }
  return called.end();
}

interface Place {
  readonly part: GeneratePart;
  readonly path: string;
}

/** A signature may hold the thoughts of another vendor, which precede their part. */
function assistantParts({ part, path }: Place, ids: CallIds): readonly AssistantPart[] {
  const { functionCall: call, thought, thoughtSignature } = part;
  const { thoughts, vendor } = signedParts(thoughtSignature);
  if (call !== undefined) {
    const id = ids.get(part) ?? '';
    const input = JSON.stringify(call.args ?? {});
    const place = `${path}.functionCall.args`;
    return [...thoughts, { type: 'tool-call', id, name: call.name, kind: 'function', input, vendor, path: place }];
  }
  if (thought === true) return [...thoughts, { type: 'reasoning', text: part.text ?? '', vendor }];
  const hidden: AssistantPart[] = vendor === undefined ? [] : [{ type: 'reasoning', text: '', vendor }];
  return [...thoughts, ...hidden, ...contentParts({ part, path })];
}

const userParts = ({ part, path }: Place): readonly UserPart[] =>
  part.functionResponse === undefined ? contentParts({ part, path }) : [];

function contentParts({ part, path }: Place): readonly UserPart[] {
  const { text, inlineData, fileData, executableCode, codeExecutionResult } = part;
  if (inlineData !== undefined) return [inlinePart(inlineData, path)];
  if (fileData !== undefined) {
    const { mimeType, fileUri: url } = fileData;
    const media = mediaKindOf(mimeType);
    return [{ type: 'media', media, source: { kind: 'url', url }, mediaType: mimeType, clientType: 'fileData', path }];
  }
  // What the vendor's own tool ran stays readable for the next model.
  const words = text ?? executableCode?.code ?? codeExecutionResult?.output ?? '';
  return words === '' ? [] : [{ type: 'text', text: words }];
}

function inlinePart({ mimeType, data }: NonNullable<GeneratePart['inlineData']>, path: string): UserPart {
  if (mimeType.startsWith('text/')) return { type: 'text', text: Buffer.from(data, 'base64').toString('utf8') };
  const source = { kind: 'base64', data } as const;
  return { type: 'media', media: mediaKindOf(mimeType), source, mediaType: mimeType, clientType: 'inlineData', path };
}

function toolResult({ part, path }: Place, ids: CallIds): readonly ToolResultPart[] {
  const { functionResponse: result } = part;
  if (result === undefined) return [];
  const place = `${path}.functionResponse`;
  const id = ids.get(part);
  if (id === undefined) {
    throw new GatewayError('invalid_request', `'${place}': no open function call is left for this result.`, {
      param: place,
    });
  }
  const { output, error, ...others } = result.response ?? {};
  const isOnly = Object.keys(others).length === 0;
  const value = isOnly ? (output ?? error ?? {}) : result.response;
  const media = (result.parts ?? []).flatMap(({ inlineData }) => (inlineData ? [inlinePart(inlineData, place)] : []));
  return [
    {
      type: 'tool-result',
      id,
      kind: 'function',
      content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }, ...media],
      isError: isOnly && output === undefined && error !== undefined ? true : undefined,
      path: place,
    },
  ];
}
