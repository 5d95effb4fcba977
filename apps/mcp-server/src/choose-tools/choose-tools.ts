import { ENDPOINTS, GatewayError, type ModelEntry } from '@gateway/contracts';
import type { Tool } from '../tool.js';

export interface Choice {
  /** Of the server's configuration; undefined: all. */
  readonly offered: readonly string[] | undefined;
  /** Of the request's `x-mcp-tools`; undefined: all. */
  readonly wanted: string | undefined;
}

/** The tools that this caller may use here: never more than the key itself may. Throws 400 for a tool that does not exist. */
export function chooseTools(tools: readonly Tool[], models: readonly ModelEntry[], choice: Choice): readonly Tool[] {
  const wanted = choice.wanted === undefined ? undefined : namesOf(choice.wanted, tools);
  const served = new Set(models.flatMap(({ endpoints }) => endpoints));
  return tools.filter(
    ({ name, endpoint }) =>
      (choice.offered?.includes(name) ?? true) &&
      (wanted?.includes(name) ?? true) &&
      (endpoint === undefined || served.has(ENDPOINTS[endpoint].path)),
  );
}

function namesOf(header: string, tools: readonly Tool[]): readonly string[] {
  const names = header.split(',').map((name) => name.trim());
  const stranger = names.find((name) => tools.every((tool) => tool.name !== name));
  if (stranger === undefined) return names;
  const known = tools.map(({ name }) => name).join(', ');
  throw new GatewayError(
    'invalid_request',
    `'x-mcp-tools': there is no tool '${stranger}'; expected some of ${known}.`,
    {
      param: 'x-mcp-tools',
    },
  );
}
