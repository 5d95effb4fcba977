import type { GenerateContentRequest, NeutralTool } from '@gateway/contracts';
import { jsonSchemaOf } from './json-schema.js';

type Tool = NonNullable<GenerateContentRequest['tools']>[number];
type Declaration = NonNullable<Tool['functionDeclarations']>[number];
type Schema = Readonly<Record<string, unknown>>;

/** One tool of the format may declare many functions, and name tools that its own vendor runs. */
export const decodeTools = (tools: readonly Tool[]): readonly NeutralTool[] =>
  tools.flatMap(({ functionDeclarations = [], ...others }, index): NeutralTool[] => [
    ...functionDeclarations.map(decodeFunction),
    ...Object.entries(others).map(
      ([name, tool]): NeutralTool => ({
        type: 'vendor',
        dialect: 'gemini-generate',
        tool: { [name]: tool },
        path: `tools[${index}].${name}`,
      }),
    ),
  ]);

function decodeFunction({ name, description, parameters, parametersJsonSchema }: Declaration): NeutralTool {
  const schema = parameters === undefined ? parametersJsonSchema : jsonSchemaOf(parameters);
  return {
    type: 'function',
    name,
    description,
    // A function without arguments has no schema in this format, and needs one in most others.
    parameters: (schema as Schema | undefined) ?? { type: 'object', properties: {} },
  };
}
