import type { NativeResponsesRequest } from '@gateway/contracts';
import { invalidRequest } from '../../client-request/refuse-request.js';
import type { PassThroughResponsesCall } from '../../protocol.js';
import { LEFT_OUT_TOOL, type OfferedTools } from './offered-tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** `tool_choice` is set only if it differs from what the client sent. */
type OfferedChoice = Readonly<{ tool_choice?: NativeResponsesRequest['tool_choice']; dropped: readonly string[] }>;

const UNCHANGED: OfferedChoice = { dropped: [] };

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isLeftOut = (tool: unknown): boolean => isFields(tool) && tool.type === LEFT_OUT_TOOL;

/**
 * The choice among the tools that are left. The vendor would refuse one that names the tool which was left out. Throws a
 * GatewayError (400) if it leaves nothing to choose: the client wants an image.
 */
export function offeredChoice(
  { members }: Pick<PassThroughResponsesCall, 'members'>,
  { tools, dropped }: OfferedTools,
): OfferedChoice {
  if (dropped.length === 0) return UNCHANGED;
  const choice = members.read('tool_choice');
  if (isLeftOut(choice) || (choice === 'required' && tools?.length === 0)) throw noImages();
  if (!isFields(choice) || choice.type !== 'allowed_tools' || !Array.isArray(choice.tools)) return UNCHANGED;
  const allowed: readonly unknown[] = choice.tools;
  const left = allowed.filter((tool) => !isLeftOut(tool));
  if (left.length === allowed.length) return UNCHANGED;
  if (left.length === 0) throw noImages();
  return {
    tool_choice: { ...choice, tools: left },
    dropped: allowed.flatMap((tool, at) => (isLeftOut(tool) ? [`tool_choice.tools[${at}]`] : [])),
  };
}

const noImages = () =>
  invalidRequest(
    `'tool_choice': '${LEFT_OUT_TOOL}' is left out of the 'tools', because it has no price here. Make images by POST /v1/images/generations.`,
    'tool_choice',
  );
