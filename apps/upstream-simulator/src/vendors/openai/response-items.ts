import type { Completion, ToolCall } from '../../completion/completion.js';
import { type Fields, fieldsOf, listOf } from '../../json/fields.js';
import { newId } from '../vendor-ids.js';
import { sealReasoning } from './encrypted-reasoning.js';
import type { ResponseWork } from './read-response-request.js';
import { readClientTools } from './read-response-tools.js';

export type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

const urlOf = (at: number): string => `https://example.com/${at + 1}`;

const searchItem = (action: object): OutputItem => ({
  id: `ws_${newId(24)}`,
  type: 'web_search_call',
  status: 'completed',
  action,
});

/** Searches, then pages that the model opens. `include` asks for the sources of a search. */
const webItems = ({ web }: ResponseWork, includes: readonly unknown[]): OutputItem[] => {
  const showsSources = includes.includes('web_search_call.action.sources');
  const searches = Array.from({ length: web.searches }, (_, at) => {
    const query = `query ${at + 1}`;
    const sources = showsSources ? { sources: [{ type: 'url', url: urlOf(at) }] } : {};
    return searchItem({ type: 'search', query, queries: [query], ...sources });
  });
  const pages = Array.from({ length: web.pages }, (_, at) => searchItem({ type: 'open_page', url: urlOf(at) }));
  return [...searches, ...pages];
};

/** The documentation: `encrypted_content` is populated by default, and with the `include` that asks for it. */
const reasoningItem = ({ thinking }: Completion, organization: string): OutputItem => ({
  id: `rs_${newId(24)}`,
  type: 'reasoning',
  summary: thinking === '' ? [] : [{ type: 'summary_text', text: thinking }],
  encrypted_content: sealReasoning(organization),
});

const citations = ({ web, completion }: ResponseWork): object[] =>
  Array.from({ length: web.searches }, (_, at) => ({
    type: 'url_citation',
    start_index: 0,
    end_index: completion.text.length,
    url: urlOf(at),
    title: `Result ${at + 1}`,
  }));

const messageItem = (work: ResponseWork): OutputItem => {
  const { completion, directives } = work;
  const { text } = completion;
  return {
    id: `msg_${newId(24)}`,
    type: 'message',
    status: finalStatus(work),
    content: [
      directives.isBlocked === true
        ? { type: 'refusal', refusal: text }
        : { type: 'output_text', annotations: citations(work), logprobs: [], text },
    ],
    role: 'assistant',
  };
};

const callItem = ({ name, argumentsJson, isFreeForm }: ToolCall, request: Fields): OutputItem => {
  const namespace = readClientTools(request).find((tool) => tool.name === name)?.namespace;
  const call = {
    status: 'completed',
    call_id: `call_${newId(24)}`,
    name,
    ...(namespace !== undefined && { namespace }),
  };
  return isFreeForm === true
    ? { id: `ctc_${newId(24)}`, type: 'custom_tool_call', ...call, input: argumentsJson }
    : { id: `fc_${newId(24)}`, type: 'function_call', ...call, arguments: argumentsJson };
};

export const finalStatus = ({ completion, directives }: ResponseWork): 'completed' | 'incomplete' =>
  completion.finish === 'length' || directives.isFiltered === true ? 'incomplete' : 'completed';

/** What stands for the conversation. Its content belongs to the organization, like that of reasoning. */
export const compactionItem = (organization: string): OutputItem => ({
  id: `cmp_${newId(24)}`,
  type: 'compaction',
  encrypted_content: sealReasoning(organization),
});

const isCompaction = ({ input }: Fields): boolean => fieldsOf(listOf(input).at(-1)).type === 'compaction_trigger';

export const outputItems = (work: ResponseWork, request: Fields, organization: string): readonly OutputItem[] => {
  const { completion } = work;
  return [
    ...webItems(work, listOf(request.include)),
    ...(completion.counts.reasoningTokens > 0 ? [reasoningItem(completion, organization)] : []),
    ...(isCompaction(request) ? [compactionItem(organization)] : completion.text === '' ? [] : [messageItem(work)]),
    ...completion.toolCalls.map((call) => callItem(call, request)),
  ];
};
