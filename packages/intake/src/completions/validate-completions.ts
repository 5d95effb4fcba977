import type { ModelWithCapability } from '@gateway/catalogue';
import { type ChatEnvelope, type CompletionRequest, completionRequest } from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';
import { decodeTokens } from '../embeddings/decode-tokens.js';

/** A text completion as a request of chat: the prompt is one message of the user. Throws a 400 that names the field. */
export function validateCompletions(body: Record<string, unknown>, model: ModelWithCapability<'chat'>): ChatEnvelope {
  const prompt = decodeTokens(body.prompt) ?? body.prompt;
  const parsed = completionRequest.safeParse({ ...body, prompt });
  if (!parsed.success) throw describeIssue(parsed.error);
  return { chat: chatOf(parsed.data, model) };
}

function chatOf(request: CompletionRequest, { chat }: ModelWithCapability<'chat'>): ChatEnvelope['chat'] {
  const { prompt, max_tokens: cap, n: _n, best_of: _b, echo: _e, logprobs: _l, suffix: _s, ...shared } = request;
  const given = Object.fromEntries(Object.entries(shared).filter(([, value]) => value != null));
  return {
    ...given,
    messages: [{ role: 'user', content: Array.isArray(prompt) ? prompt[0] : prompt }],
    ...(cap != null && { [chat.variant === 'reasoning' ? 'max_completion_tokens' : 'max_tokens']: cap }),
  };
}
