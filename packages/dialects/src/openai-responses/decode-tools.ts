import type {
  FunctionTool,
  NeutralTool,
  NeutralToolChoice,
  ResponsesTool,
  ResponsesToolChoice,
} from '@gateway/contracts';
import { type ClientTool, LOCAL_SHELL, sentName } from './tool-names.js';

export interface DecodedTools {
  readonly tools: readonly NeutralTool[];
  readonly clientTools: Map<string, ClientTool>;
}

/** The client's shell as a function: developers.openai.com/api/docs/guides/tools-local-shell. */
const SHELL: FunctionTool = {
  type: 'function',
  name: LOCAL_SHELL,
  description: "Runs a command on the user's machine, and returns what it prints.",
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
      working_directory: { type: 'string' },
      timeout_ms: { type: 'integer' },
      env: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['command'],
  },
};

class ToolDecoder implements DecodedTools {
  readonly tools: NeutralTool[] = [];
  readonly clientTools = new Map<string, ClientTool>();

  /** A tool that another party runs is the protocol's to accept, and else left out. */
  add(tool: ResponsesTool, path: string, namespace?: string): void {
    if (tool.type === 'function' || tool.type === 'custom') this.#named(tool, namespace);
    else if (tool.type === 'namespace') this.#namespace(tool, path);
    else if (tool.type === LOCAL_SHELL) {
      this.clientTools.set(LOCAL_SHELL, { kind: 'local_shell', name: LOCAL_SHELL });
      this.tools.push(SHELL);
    } else this.tools.push({ type: 'vendor', dialect: 'openai-responses', tool, path });
  }

  #named(tool: ResponsesTool, namespace?: string): void {
    const { type, description, parameters, strict, format } = tool;
    const name = tool.name ?? '';
    const sent = sentName(namespace, name);
    if (namespace !== undefined) this.clientTools.set(sent, { kind: type as 'function' | 'custom', name, namespace });
    const common = { name: sent, ...(description != null && { description }) };
    if (type === 'custom') this.tools.push({ type, ...common, ...(format != null && { format }) });
    else {
      this.tools.push({
        type: 'function',
        ...common,
        ...(parameters != null && { parameters }),
        ...(strict != null && { strict }),
      });
    }
  }

  #namespace({ name, tools }: ResponsesTool, path: string): void {
    tools?.forEach((tool, index) => {
      this.add(tool, `${path}.tools[${index}]`, name ?? '');
    });
  }
}

/** Decodes the tools of a request, and those that its items add. */
export function decodeTools(
  lists: readonly (readonly [path: string, tools: readonly ResponsesTool[]])[],
): DecodedTools {
  const decoder = new ToolDecoder();
  for (const [path, tools] of lists) {
    tools.forEach((tool, index) => {
      decoder.add(tool, `${path}[${index}]`);
    });
  }
  return decoder;
}

export function decodeToolChoice(choice: ResponsesToolChoice | null | undefined): NeutralToolChoice | undefined {
  if (choice == null) return undefined;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type !== 'allowed_tools') {
    return { type: 'tool', name: sentName(choice.namespace, choice.name), kind: choice.type };
  }
  const names = choice.tools.flatMap(({ name, namespace }) => (name === undefined ? [] : [sentName(namespace, name)]));
  return { type: 'allowed', names, isRequired: choice.mode === 'required' };
}
