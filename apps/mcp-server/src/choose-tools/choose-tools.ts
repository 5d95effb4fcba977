import { ENDPOINTS, GatewayError, type ModelEntry } from '@gateway/contracts';
import type { Tool } from '../tool.js';

export interface Choice {
  /** `MCP_TOOLS` of this server; undefined: all. */
  readonly offered: readonly string[] | undefined;
  /** Header `x-mcp-tools` of the request; undefined: all. */
  readonly requested: string | undefined;
}

/** Tools for this caller: offered here, requested, and with a model that the key may use. Throws 400 for an unknown name. */
export function chooseTools(tools: readonly Tool[], models: readonly ModelEntry[], choice: Choice): readonly Tool[] {
  const requested = choice.requested === undefined ? undefined : namesOf(choice.requested, tools);
  const served = new Set(models.flatMap(({ endpoints }) => endpoints));
  return tools.filter(
    ({ name, endpoint, isOnRequest }) =>
      (choice.offered?.includes(name) ?? true) &&
      (requested?.includes(name) ?? isOnRequest !== true) &&
      (endpoint === undefined || served.has(ENDPOINTS[endpoint].path)),
  );
}

function namesOf(header: string, tools: readonly Tool[]): readonly string[] {
  const names = header.split(',').map((name) => name.trim());
  const unknown = names.find((name) => tools.every((tool) => tool.name !== name));
  if (unknown === undefined) return names;
  const known = tools.map(({ name }) => name).join(', ');
  throw new GatewayError(
    'invalid_request',
    `'x-mcp-tools': there is no tool '${unknown}'; expected some of ${known}.`,
    {
      param: 'x-mcp-tools',
    },
  );
}
