import {
  type Citation,
  clientToolId,
  type MediaPart,
  packed,
  type ToolKind,
  type VendorData,
} from '@gateway/contracts';
import type { ClientTool, ClientTools } from './tool-names.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';
export type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'lsh' | 'ig' | 'cmp';

const PLACES = 4;

/** The id of an item: the same in a stream's events and in the final response. */
export const itemId = (prefix: ItemPrefix, requestId: string, index: number): string =>
  `${prefix}_${requestId.replace(/^req_/, '')}${String(index).padStart(PLACES, '0')}`;

export interface OutputText {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly object[];
  readonly logprobs: readonly [];
}

export type ContentPart = OutputText | { readonly type: 'refusal'; readonly refusal: string };

export const annotationOf = ({ url, title, start, end }: Citation): object => ({
  type: 'url_citation',
  url: url ?? '',
  title: title ?? '',
  start_index: start ?? 0,
  end_index: end ?? 0,
});

export const outputText = (text: string, annotations: readonly object[] = []): OutputText => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});

export const messageItem = (id: string, status: ItemStatus, content: readonly ContentPart[]) => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

/** Opaque data of another vendor has the place of encrypted reasoning: clients carry it back unread. */
export const reasoningItem = (id: string, text: string, vendor: VendorData | undefined) => ({
  id,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  ...(vendor !== undefined && { encrypted_content: packed(vendor) }),
});

/** A call as a model makes it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly vendor?: VendorData | undefined;
}

export const clientToolOf = ({ name, kind }: Pick<Call, 'name' | 'kind'>, tools: ClientTools): ClientTool =>
  tools.get(name) ?? { kind, name };

export const CALL_PREFIXES = { function: 'fc', custom: 'ctc', local_shell: 'lsh' } as const;

/** `input`: empty until the model has written it. */
export function callItem(id: string, status: ItemStatus, call: Call, input: string, tool: ClientTool) {
  const base = { id, status, call_id: clientToolId(call.id, call.vendor) };
  if (tool.kind === 'local_shell') return { type: 'local_shell_call', ...base, action: shellAction(input) };
  const named = { name: tool.name, ...(tool.namespace !== undefined && { namespace: tool.namespace }) };
  return tool.kind === 'custom'
    ? { type: 'custom_tool_call', ...base, ...named, input }
    : { type: 'function_call', ...base, ...named, arguments: input };
}

function shellAction(input: string): object {
  try {
    const action: unknown = input === '' ? {} : JSON.parse(input);
    if (typeof action === 'object' && action !== null) return { type: 'exec', command: [], env: {}, ...action };
  } catch {
    // The model wrote no JSON: its text is a command line.
  }
  return { type: 'exec', command: ['sh', '-c', input], env: {} };
}

/** An image that a model has made. Undefined for what the protocol has no item for. */
export const imageItem = (id: string, { media, source }: MediaPart) =>
  media === 'image' && source.kind === 'base64'
    ? { id, type: 'image_generation_call', status: 'completed', result: source.data }
    : undefined;
