type Body = Record<string, unknown>;

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a body with the published `json_schema` format, for a body whose `json_object` format has a schema. Some vendors
 * and clients write it so; the vendors served here would refuse or ignore it. Undefined for every other body.
 */
export function schemaOfJsonObject(body: Body): Body | undefined {
  const { response_format: format } = body;
  if (!isObject(format) || format.type !== 'json_object' || !isObject(format.schema)) return undefined;
  const { schema } = format;
  return { ...body, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}
