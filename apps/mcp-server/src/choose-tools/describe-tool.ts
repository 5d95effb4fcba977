import { ENDPOINTS, type ModelEntry } from '@gateway/contracts';
import type { Tool as ToolOnTheWire } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tool.js';
import { simplifySchema } from './simplify-schema.js';

type Schema = Record<string, unknown>;
type ObjectSchema = Schema & { properties: Record<string, Schema> };

interface ToolSchemas {
  readonly input: ObjectSchema;
  readonly output: Schema;
}

/** Cached: building the schemas costs more than all else in `tools/list`. */
const cache = new WeakMap<Tool, ToolSchemas>();

/** Describes a tool for `tools/list`. Its `model` argument lists only models that the key may use. */
export function describeTool(tool: Tool, models: readonly ModelEntry[]): ToolOnTheWire {
  const { input, output } = schemasOf(tool);
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

function schemasOf(tool: Tool): ToolSchemas {
  const cached = cache.get(tool);
  if (cached !== undefined) return cached;
  // Clients hold results against the output schema, so it keeps the nulls that results have.
  const built = {
    input: withHints(simplifySchema(schemaOf(tool.input, 'input')) as ObjectSchema, tool),
    output: schemaOf(tool.output, 'output'),
  };
  cache.set(tool, built);
  return built;
}

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema => {
  // MCP's default dialect is 2020-12, and some clients would fetch the address in `$schema`.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest as ObjectSchema;
};

function withHints(schema: ObjectSchema, { name, hints }: Tool): ObjectSchema {
  const properties = Object.entries(schema.properties).map(([field, value]) => {
    const hint = hints[field];
    if (hint === undefined) throw new Error(`tool ${name}: the argument ${field} has no hint`);
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
