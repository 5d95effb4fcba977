import { parseJson } from '../bench/json.js';
import type { Attachment, ChatSettings, DialectId, FunctionTool, ToolResult } from './conversation.js';

export interface ToolDraft {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** JSON text of the schema. */
  readonly parameters: string;
}

/** The form of a chat. Numbers are text while they are typed; empty: the model's default. */
export interface ChatDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly results: readonly ToolResult[];
  readonly system: string;
  readonly tools: readonly ToolDraft[];
  readonly dialect: DialectId;
  readonly maxTokens: string;
  readonly temperature: string;
  readonly effort: string;
}

export const FIRST_CHAT: ChatDraft = {
  text: '',
  attachments: [],
  results: [],
  system: '',
  tools: [],
  dialect: 'chat.completions',
  maxTokens: '',
  temperature: '',
  effort: '',
};

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const settingsOf = ({ maxTokens, temperature, effort }: ChatDraft): ChatSettings => ({
  maxTokens: numberOrNull(maxTokens),
  temperature: numberOrNull(temperature),
  effort: effort === '' ? null : effort,
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const schemaOf = ({ parameters }: ToolDraft): object | undefined => {
  const schema = parseJson(parameters);
  return isObject(schema) ? schema : undefined;
};

/** The tools whose schema is whole. `hasWrongTool` says whether one is not. */
export const toolsOf = ({ tools }: ChatDraft): readonly FunctionTool[] =>
  tools.flatMap((tool) => {
    const parameters = schemaOf(tool);
    return parameters === undefined ? [] : [{ name: tool.name, description: tool.description, parameters }];
  });

export const hasWrongTool = ({ tools }: ChatDraft): boolean =>
  tools.some((tool) => tool.name.trim() === '' || schemaOf(tool) === undefined);

/** The next message has the same settings. */
export const afterSend = (draft: ChatDraft): ChatDraft => ({ ...draft, text: '', attachments: [], results: [] });
