import type {
  CacheMark,
  DialectId,
  MediaPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolKind,
  ToolResultPart,
  VendorPart,
} from './parts.js';

export type AssistantPart = TextPart | MediaPart | ReasoningPart | ToolCallPart | RefusalPart | VendorPart;

/**
 * `system`: an instruction, at any place of the conversation. `tool`: results of the assistant's calls. `path`: the
 * client's name of the message, such as `messages[3]`, for errors.
 */
export type NeutralMessage = { readonly path?: string | undefined } & (
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  | { readonly role: 'user'; readonly content: readonly (TextPart | MediaPart)[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] }
);

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly strict?: boolean | undefined;
  readonly cache?: CacheMark | undefined;
}

/** A tool of free text. The `format` is the client's own, such as a grammar. */
export interface CustomTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string | undefined;
  readonly format?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool that the vendor of a dialect runs, in the words of that dialect. */
export interface VendorTool {
  readonly type: 'vendor';
  readonly dialect: DialectId;
  readonly tool: Readonly<Record<string, unknown>>;
  /** Such as `tools[0]`: reported if the tool is not sent. */
  readonly path: string;
}

export type NeutralTool = FunctionTool | CustomTool | VendorTool;

export type NeutralToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string; readonly kind: ToolKind }
  /** The model may call only these functions. `isRequired`: it must call one. */
  | { readonly type: 'allowed'; readonly names: readonly string[]; readonly isRequired: boolean };

/** From the least to the most. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export type AnswerFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema';
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly schema?: Readonly<Record<string, unknown>> | undefined;
      readonly strict?: boolean | undefined;
    };

/** What a client may set. Undefined: the model's default. */
export interface NeutralSettings {
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly logitBias?: Readonly<Record<string, number>> | undefined;
  readonly logprobs?: boolean | undefined;
  readonly topLogprobs?: number | undefined;
  readonly effort?: Effort | undefined;
  readonly format?: AnswerFormat | undefined;
  readonly verbosity?: string | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  /** An id of the customer's own user. */
  readonly user?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly cacheKey?: string | undefined;
  readonly cacheRetention?: string | undefined;
  /** How the vendor caches the prompt, in the form of OpenAI's APIs. */
  readonly cacheOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly safetyIdentifier?: string | undefined;
}

export type SettingName = keyof NeutralSettings;

/** The client's name of each setting, such as `max_completion_tokens`. A dialect lacks the settings that it does not name. */
export type SettingNames = Readonly<Partial<Record<SettingName | 'tools' | 'toolChoice' | 'messages', string>>>;

/** A request of any dialect. Optional members are never set to an empty list. */
export interface NeutralRequest {
  readonly messages: readonly NeutralMessage[];
  readonly tools?: readonly NeutralTool[] | undefined;
  readonly toolChoice?: NeutralToolChoice | undefined;
  readonly settings: NeutralSettings;
  /** The whole prompt is cached, as far as it goes in each turn. */
  readonly cache?: CacheMark | undefined;
  /** True if the dialect takes an effort for a hint: an unsupported one becomes the nearest. Else it is a 400. */
  readonly isEffortHint: boolean;
  /** True if strict schemas of the dialect may have optional properties. */
  readonly isStrictHint?: boolean | undefined;
  readonly streams: boolean;
}
