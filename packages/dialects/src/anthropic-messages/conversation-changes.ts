import type { CountTokensRequest, Effort, MessagesInputMessage, MessagesTool } from '@gateway/contracts';

type SystemMessage = Extract<MessagesInputMessage, { role: 'system' }>;

const systemMessages = (messages: readonly MessagesInputMessage[]): readonly SystemMessage[] =>
  messages.filter((message): message is SystemMessage => message.role === 'system');

type Change = Exclude<Exclude<SystemMessage['content'], string>[number], { type: 'text' }>;

const changesIn = ({ content }: SystemMessage): readonly Change[] =>
  typeof content === 'string' ? [] : content.filter((block): block is Change => block.type !== 'text');

/**
 * The tools at the end of a conversation: instructions inside it may add and remove some. Other vendors take one list of
 * tools. A later definition replaces one of the same name.
 */
export function currentTools({ tools, messages }: CountTokensRequest): readonly MessagesTool[] {
  const declared = tools ?? [];
  const changes = systemMessages(messages).flatMap(changesIn);
  if (changes.length === 0) return declared;
  const current = new Map(declared.map((tool) => [tool.name, tool] as const));
  for (const { type, tool } of changes) {
    if (type === 'tool_removal') current.delete(tool.name);
    else {
      const added = tool.type === 'tool_definition' ? tool.definition : declared.find(({ name }) => name === tool.name);
      if (added !== undefined) current.set(added.name, added);
    }
  }
  return [...current.values()];
}

/** The effort that the last instruction with one has set. */
export const currentEffort = (messages: readonly MessagesInputMessage[]): Effort | undefined =>
  systemMessages(messages).findLast(({ output_config: config }) => config?.effort != null)?.output_config?.effort ??
  undefined;
