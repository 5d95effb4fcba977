import type { ToolSpec } from '../../completion/completion.js';
import type { Directives } from '../../directives/directives.js';
import { type Fields, fieldsOf, listOf, textOf } from '../../json/fields.js';
import { checkFunction } from './check-chat.js';
import { invalid, invalidValue, missing } from './openai-errors.js';

const SEARCH = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/;
const GRAMMARS = ['lark', 'regex'];

const checkCustom = (tool: Fields, where: string): void => {
  if (textOf(tool.name) === '') throw missing(`${where}.name`);
  const format = fieldsOf(tool.format);
  if (format.type !== 'grammar') return;
  if (typeof format.definition !== 'string') throw missing(`${where}.format.definition`);
  if (!GRAMMARS.includes(textOf(format.syntax))) {
    throw invalidValue(`${where}.format.syntax`, format.syntax, "'lark' and 'regex'");
  }
};

interface ClientTool extends ToolSpec {
  readonly namespace: string | undefined;
}

const readTool = (tool: Fields, where: string, namespace?: string): ClientTool[] => {
  if (tool.type === 'namespace') return readTools(tool.tools, `${where}.tools`, textOf(tool.name));
  const name = textOf(tool.name);
  if (tool.type === 'function') {
    checkFunction(tool, where);
    return [{ name, namespace, schema: tool.parameters ?? { type: 'object' } }];
  }
  if (tool.type !== 'custom') return [];
  checkCustom(tool, where);
  return [{ name, namespace, schema: undefined, isFreeForm: true }];
};

const readTools = (tools: unknown, where: string, namespace?: string): ClientTool[] =>
  listOf(tools).flatMap((tool, at) => readTool(fieldsOf(tool), `${where}[${at}]`, namespace));

/** The tools that the client runs. Items of the input may add some. */
export const readClientTools = (request: Fields): ClientTool[] => [
  ...readTools(request.tools, 'tools'),
  ...(Array.isArray(request.input) ? request.input : []).flatMap((item, at) =>
    readTools(fieldsOf(item).tools, `input[${at}].tools`),
  ),
];

/** A choice of a tool that is not offered. Functions are checked by name elsewhere. */
export const checkToolChoice = (request: Fields): void => {
  const choice = fieldsOf(request.tool_choice);
  const type = textOf(choice.type);
  if (type !== 'custom' && !SEARCH.test(type)) return;
  const isOffered = listOf(request.tools)
    .map(fieldsOf)
    .some((tool) => tool.type === type && (type !== 'custom' || tool.name === choice.name));
  if (!isOffered) throw invalid(`Tool choice '${type}' not found in 'tools' parameter.`, 'tool_choice');
};

/** Calls of the vendor's web search. A search is billed; a page that it opens is not. */
export type WebWork = Readonly<{ searches: number; pages: number }>;

/** The model searches if a directive says so or the choice forces it. `max_tool_calls` caps searches and pages together. */
export const readWebWork = (request: Fields, directives: Directives): WebWork => {
  const types = listOf(request.tools).map((tool) => textOf(fieldsOf(tool).type));
  if (!types.some((type) => SEARCH.test(type)) || request.tool_choice === 'none') return { searches: 0, pages: 0 };
  const isForced =
    SEARCH.test(textOf(fieldsOf(request.tool_choice).type)) ||
    (request.tool_choice === 'required' && types.every((type) => SEARCH.test(type)));
  const most = typeof request.max_tool_calls === 'number' ? request.max_tool_calls : Number.POSITIVE_INFINITY;
  const searches = Math.min(directives.searches ?? (isForced ? 1 : 0), most);
  return { searches, pages: Math.min(directives.pages ?? 0, most - searches) };
};
