import type { ModelWithCapability } from '@gateway/catalogue';
import { type ChatEnvelope, type CompletionRequest, completionRequest } from '@gateway/contracts';
import { checked } from '../checked.js';
import { decodeTokens } from '../embeddings/decode-tokens.js';

type Chat = ChatEnvelope['chat'];

/** A text completion as requests of chat, one for each choice: the prompt is one message of the user. Throws a 400 that names the field. */
export function validateCompletions(
  body: Record<string, unknown>,
  model: ModelWithCapability<'chat'>,
): readonly [Chat, ...Chat[]] {
  const prompt = decodeTokens(body.prompt, 'prompt') ?? body.prompt;
  const request = checked(completionRequest, { ...body, prompt });
  const prompts = Array.isArray(request.prompt) ? request.prompt : [request.prompt];
  const [first = '', ...others] = prompts.flatMap((text) => Array<string>(request.n ?? 1).fill(text));
  return [chatOf(request, first, model), ...others.map((text) => chatOf(request, text, model))];
}

function chatOf(request: CompletionRequest, text: string, { chat }: ModelWithCapability<'chat'>): Chat {
  const { prompt: _p, max_tokens: cap, n: _n, best_of: _b, echo: _e, logprobs: _l, suffix: _s, ...shared } = request;
  const given = Object.fromEntries(Object.entries(shared).filter(([, value]) => value != null));
  return {
    ...given,
    messages: [{ role: 'user', content: text }],
    ...(cap != null && { [chat.variant === 'reasoning' ? 'max_completion_tokens' : 'max_tokens']: cap }),
  };
}
