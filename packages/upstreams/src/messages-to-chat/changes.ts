import { type Changes, changesBetween, mergeChanges, NO_CHANGES } from '@gateway/contracts';
import type { TranslatedMessagesCall } from '../protocol.js';
import { effortOf } from './effort.js';

/** Names of the messages format, by the chat protocol's name. */
const NAMES: Readonly<Record<string, string>> = {
  reasoning_effort: 'output_config.effort',
  max_completion_tokens: 'max_tokens',
  stop: 'stop_sequences',
};

const nameOf = (chatName: string): string => NAMES[chatName] ?? chatName;

/** Changes of a chat request, under the names that the client of the messages format knows. */
const renamed = ({ filled, dropped }: Changes): Changes => ({
  filled: Object.fromEntries(Object.entries(filled).map(([name, value]) => [nameOf(name), value])),
  dropped: dropped.map(nameOf),
});

/** What the translation and then the adapter of the chat protocol changed. Tools without a schema cannot be translated. */
export function messagesChanges({ request, traits }: TranslatedMessagesCall, ofChat: Changes = NO_CHANGES): Changes {
  const given = request.output_config?.effort;
  const effort = changesBetween({ effort: given }, { effort: given == null ? null : effortOf(request, traits) });
  const { effort: sent } = effort.filled;
  const tools = (request.tools ?? []).flatMap((tool, index) => (tool.input_schema == null ? [`tools[${index}]`] : []));
  const ofTranslation: Changes = {
    filled: sent === undefined ? {} : { 'output_config.effort': sent },
    dropped: [...(effort.dropped.length > 0 ? ['output_config.effort'] : []), ...tools],
  };
  return mergeChanges(ofTranslation, renamed(ofChat));
}
