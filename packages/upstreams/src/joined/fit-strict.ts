import { type Changes, isJsonObject, type NeutralRequest, NO_CHANGES } from '@gateway/contracts';
import type { NeutralCall, NeutralProtocol } from '../protocol.js';

/** What a strict schema of OpenAI may not contain: platform.openai.com/docs/guides/structured-outputs, supported schemas. */
const REFUSED = [
  ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'default', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas'],
] as const;
/** Keywords whose value names schemas. */
const MAPS = ['properties', '$defs', 'definitions'] as const;

/** True if each object of the schema requires every property and takes no other. */
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isJsonObject(schema)) return true;
  if (REFUSED.some((keyword) => keyword in schema)) return false;
  const { type, properties, required, additionalProperties, items, anyOf } = schema;
  if ((type === 'object' || isJsonObject(properties)) && additionalProperties !== false) return false;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  if (isJsonObject(properties) && !Object.keys(properties).every((name) => names.includes(name))) return false;
  const named = MAPS.flatMap((keyword) => Object.values(isJsonObject(schema[keyword]) ? schema[keyword] : {}));
  return [items, anyOf, ...named].every(isClosed);
}

/**
 * Sends a schema that its format calls strict, and that the protocol would refuse as strict, without that mark. Formats whose
 * rules are OpenAI's own keep it: their clients can act on the refusal.
 */
export function fitStrict(
  { request, names }: Pick<NeutralCall, 'request' | 'names'>,
  { closesStrictSchemas }: Pick<NeutralProtocol, 'closesStrictSchemas'>,
): { readonly request: NeutralRequest; readonly changes: Changes } {
  if (request.isStrictHint !== true || closesStrictSchemas !== true) return { request, changes: NO_CHANGES };
  const filled: Record<string, string> = {};
  const tools = request.tools?.map((tool, index) => {
    if (tool.type !== 'function' || tool.strict !== true || isClosed(tool.parameters)) return tool;
    filled[`${names.tools ?? 'tools'}[${index}].strict`] = 'false';
    return { ...tool, strict: false };
  });
  const { format } = request.settings;
  const isOpen = format?.type === 'schema' && format.strict === true && !isClosed(format.schema);
  if (isOpen) filled[`${names.format ?? 'format'}.strict`] = 'false';
  const settings = isOpen ? { ...request.settings, format: { ...format, strict: false } } : request.settings;
  return { request: { ...request, tools, settings }, changes: { filled, dropped: [] } };
}
