import { CHAT_PROTOCOL_IDS, type ChatProtocolId, type Dialect } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import { adapterOf, type DialectAdapter } from '../adapter-of.js';

const adaptersOf = (dialect: Dialect): Readonly<Record<ChatProtocolId, DialectAdapter>> =>
  Object.fromEntries(CHAT_PROTOCOL_IDS.map((protocol) => [protocol, adapterOf(dialect, { protocol })])) as Record<
    ChatProtocolId,
    DialectAdapter
  >;

/** Chat completions by every protocol. */
export const CHAT_ADAPTERS = adaptersOf(DIALECTS['openai-chat']);

/** Translated messages by every protocol. */
export const MESSAGES_ADAPTERS = adaptersOf(DIALECTS['anthropic-messages']);
