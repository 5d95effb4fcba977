import type { ModelEntry } from '@gateway/contracts';
import { callJson } from '@gateway/testing';

const CHAT_PATH = '/v1/chat/completions';

/** The key's models with the chat endpoint, from `GET /v1/models`: a new one joins every scenario. */
export async function chatModels(baseUrl: string, key: string): Promise<readonly ModelEntry[]> {
  const { data } = await callJson<{ data: ModelEntry[] }>(`${baseUrl}/v1/models`, { token: key });
  return data.filter(({ endpoints }) => endpoints.includes(CHAT_PATH));
}
