import { type NeutralRequest, type NeutralTool, type SettingNames, truncateForError } from '@gateway/contracts';
import { invalidRequest } from '../client-request/refuse-request.js';

/** Vendors know their own tools by a name or by their type. */
const isNamed = (tool: NeutralTool, name: string): boolean =>
  tool.type === 'vendor' ? tool.tool.name === name || tool.tool.type === name : tool.name === name;

/**
 * Throws a GatewayError (400) for a forced call of a tool that the request does not have. Its customer would pay for an
 * answer without the call. A tool that another vendor runs is not sent either, but `fitTools` reports it.
 */
export function checkToolChoice({ tools = [], toolChoice: choice }: NeutralRequest, names: SettingNames): void {
  const { toolChoice: param = 'tool_choice', tools: field = 'tools' } = names;
  if (choice?.type === 'required' && tools.length === 0) {
    throw invalidRequest(`'${param}': expected '${field}' beside it, because a call is required.`, param);
  }
  const wanted =
    choice?.type === 'tool' ? [choice.name] : choice?.type === 'allowed' && choice.isRequired ? choice.names : [];
  const [first] = wanted;
  if (first === undefined || wanted.some((name) => tools.some((tool) => isNamed(tool, name)))) return;
  throw invalidRequest(`'${param}': '${truncateForError(first)}' is none of the '${field}' of the request.`, param);
}
