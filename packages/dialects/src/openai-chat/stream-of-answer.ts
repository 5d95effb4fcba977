import type { ChatUsage } from '@gateway/contracts';
import { ChunkEncoder } from './chunk-encoder.js';

interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly [
    {
      readonly message: Readonly<Record<string, unknown>> & { readonly tool_calls?: readonly object[] };
      readonly finish_reason: Parameters<ChunkEncoder['finish']>[0];
    },
  ];
  readonly usage: ChatUsage;
}

/** A complete `chat.completion` as the chunks of a stream, for a client that asked for one. */
export function streamOfCompletion(body: Uint8Array, includesUsage: boolean): string {
  const { id, created, model, choices, usage } = JSON.parse(Buffer.from(body).toString('utf8')) as Completion;
  const [{ message, finish_reason: finish }] = choices;
  const chunks = new ChunkEncoder({ id, created, model }, includesUsage);
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  const fields = Object.entries({ ...message, tool_calls: calls }).filter(
    ([name, value]) => name !== 'role' && value != null,
  );
  return [
    chunks.delta({ role: 'assistant', content: '' }),
    ...fields.map(([name, value]) => chunks.delta({ [name]: value })),
    chunks.finish(finish),
    ...(includesUsage ? [chunks.usage(usage)] : []),
    'data: [DONE]\n\n',
  ].join('');
}
