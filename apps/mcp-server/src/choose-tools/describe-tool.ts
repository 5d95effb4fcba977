import { ENDPOINTS, type ModelEntry } from '@gateway/contracts';
import type { Tool as ToolOnTheWire } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tool.js';
import { simplify } from './simplify-schema.js';

type Schema = Record<string, unknown>;
type ObjectSchema = Schema & { properties: Record<string, Schema> };

interface Described {
  readonly input: ObjectSchema;
  readonly output: Schema;
}

/** Schemas do not change while the server runs, and making one costs more than the rest of a list. */
const described = new WeakMap<Tool, Described>();

/** A tool as `tools/list` shows it to a key: its `model` is one of those that the key may use. */
export function describeTool(tool: Tool, models: readonly ModelEntry[]): ToolOnTheWire {
  const { input, output } = describedOnce(tool);
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: withModels(input, tool, models) as ToolOnTheWire['inputSchema'],
    outputSchema: output as NonNullable<ToolOnTheWire['outputSchema']>,
    annotations: { title, ...annotations },
  };
}

function describedOnce(tool: Tool): Described {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const made = { input: withHints(schemaOf(tool.input, 'input'), tool), output: schemaOf(tool.output, 'output') };
  described.set(tool, made);
  return made;
}

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema => {
  // The protocol's default dialect is this one, and some clients know no other way to read `$schema` than to fetch it.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return simplify(rest) as ObjectSchema;
};

function withHints(schema: ObjectSchema, { name, hints }: Tool): ObjectSchema {
  const properties = Object.entries(schema.properties).map(([field, value]) => {
    const hint = hints[field];
    if (hint === undefined) throw new Error(`the tool ${name} does not say what its argument ${field} is for`);
    return [field, { ...value, description: hint }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function withModels(schema: ObjectSchema, { endpoint }: Tool, models: readonly ModelEntry[]): ObjectSchema {
  const { model } = schema.properties;
  if (endpoint === undefined || model === undefined) return schema;
  const ids = models.filter(({ endpoints }) => endpoints.includes(ENDPOINTS[endpoint].path)).map(({ id }) => id);
  return { ...schema, properties: { ...schema.properties, model: { ...model, enum: ids } } };
}
