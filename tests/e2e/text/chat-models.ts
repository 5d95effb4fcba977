import type { ModelEntry } from '@gateway/contracts';
import { callJson } from '@gateway/testing';

const CHAT_PATH = '/v1/chat/completions';

/** The models of a key that are asked on the chat path, as `GET /v1/models` shows them: a new one joins every story. */
export async function chatModels(baseUrl: string, key: string): Promise<readonly ModelEntry[]> {
  const { data } = await callJson<{ data: ModelEntry[] }>(`${baseUrl}/v1/models`, { token: key });
  return data.filter(({ endpoints }) => endpoints.includes(CHAT_PATH));
}
