import {
  type AnswerFormat,
  type Changes,
  type FunctionTool,
  mergeChanges,
  type NeutralRequest,
  NO_CHANGES,
} from '@gateway/contracts';
import type { NeutralCall } from '../protocol.js';
import { type GrammarSchema, grammarSchemaOf } from './grammar-schema.js';

/** What the grammars of one request may hold together: platform.claude.com/docs/en/build-with-claude/structured-outputs. */
const MAX_STRICT_TOOLS = 20;
const MAX_OPTIONAL_PROPERTIES = 24;
const MAX_UNIONS = 16;

const JSON_ONLY = 'Answer with one valid JSON object only: no other text and no code fence.';

const instruction = (text: string): NeutralRequest['messages'][number] => ({
  role: 'system',
  path: '',
  content: [{ type: 'text', text }],
});

/** A request whose schemas the vendor accepts, and what that changed. */
export interface FittedGrammars {
  readonly request: NeutralRequest;
  readonly changes: Changes;
}

/**
 * Rewrites the schema of the answer and those of strict tools for the vendor's grammar. What the grammar cannot say, an
 * instruction says of the answer, and a tool without its strict mark. JSON without a schema is an instruction too: the API has
 * no mode for it.
 */
export function fitGrammars({ request, names }: Pick<NeutralCall, 'request' | 'names'>): FittedGrammars {
  const room = new GrammarRoom();
  const answer = fitFormat(request.settings.format, names.format ?? 'format', room);
  const changes: Changes[] = [answer.changes];
  const tools = request.tools?.map((tool, index) => {
    if (tool.type !== 'function' || tool.strict !== true) return tool;
    const fitted = fitTool(tool, `${names.tools ?? 'tools'}[${index}]`, room);
    changes.push(fitted.changes);
    return fitted.tool;
  });
  const messages = answer.words === undefined ? request.messages : [...request.messages, instruction(answer.words)];
  return {
    request: { ...request, messages, tools, settings: { ...request.settings, format: answer.format } },
    changes: changes.reduce<Changes>(mergeChanges, NO_CHANGES),
  };
}

interface FittedFormat {
  readonly format: AnswerFormat | undefined;
  /** Asks for the JSON that no grammar ensures. */
  readonly words?: string;
  readonly changes: Changes;
}

function fitFormat(format: AnswerFormat | undefined, name: string, room: GrammarRoom): FittedFormat {
  if (format === undefined) return { format, changes: NO_CHANGES };
  if (format.type === 'json' || format.schema === undefined) {
    return { format: undefined, words: JSON_ONLY, changes: NO_CHANGES };
  }
  const grammar = room.take(grammarSchemaOf(format.schema));
  if (grammar !== undefined) return { format: { ...format, schema: grammar.schema }, changes: loosened(name, grammar) };
  const words = `${JSON_ONLY} It must match this JSON Schema:\n${JSON.stringify(format.schema)}`;
  return { format: undefined, words, changes: { filled: { [name]: 'instruction' }, dropped: [] } };
}

function fitTool(
  tool: FunctionTool,
  name: string,
  room: GrammarRoom,
): { readonly tool: FunctionTool; readonly changes: Changes } {
  const grammar = room.takeTool(grammarSchemaOf({ type: 'object', properties: {}, ...tool.parameters }));
  if (grammar !== undefined) return { tool: { ...tool, parameters: grammar.schema }, changes: loosened(name, grammar) };
  return { tool: { ...tool, strict: false }, changes: { filled: { [`${name}.strict`]: 'false' }, dropped: [] } };
}

const loosened = (name: string, { loosened: keywords }: GrammarSchema): Changes => ({
  filled: {},
  dropped: keywords.map((keyword) => `${name}.${keyword}`),
});

/** What is left for the grammars of one request. */
class GrammarRoom {
  #toolCount = 0;
  #optionalCount = 0;
  #unionCount = 0;

  /** Undefined if there is no room, or no grammar. */
  take(grammar: GrammarSchema | undefined): GrammarSchema | undefined {
    if (grammar === undefined) return undefined;
    const optionalCount = this.#optionalCount + grammar.optionalCount;
    const unionCount = this.#unionCount + grammar.unionCount;
    if (optionalCount > MAX_OPTIONAL_PROPERTIES || unionCount > MAX_UNIONS) return undefined;
    this.#optionalCount = optionalCount;
    this.#unionCount = unionCount;
    return grammar;
  }

  takeTool(grammar: GrammarSchema | undefined): GrammarSchema | undefined {
    if (this.#toolCount === MAX_STRICT_TOOLS) return undefined;
    const taken = this.take(grammar);
    if (taken !== undefined) this.#toolCount += 1;
    return taken;
  }
}
