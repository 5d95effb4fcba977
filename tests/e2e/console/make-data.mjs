const PASSWORD = 'a long password';

const json = async (response) => {
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
};

const sender = (baseUrl, token) => (path, body) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const chat = (model, text) => ({ model, messages: [{ role: 'user', content: text }] });
const video = (text) => ({
  model: 'wn2.7-t2v',
  duration: 4,
  resolution: '720p',
  input: { prompt: text },
  parameters: { resolution: '720P', duration: 4 },
});

const VIDEOS = [
  'A boat on a lake at dawn',
  'A street in the rain',
  'A boat {{sim task_fail=InternalError}}',
  'A long film {{sim task_seconds=600 queue_seconds=1}}',
];
const CHATS = [
  ['gm-2.5-flash', 'Say hello {{sim words=40}}'],
  ['cl-sonnet-4-6', 'Count to five {{sim words=200}}'],
  ['gp-5.4-mini', 'Write a poem {{sim words=120}}'],
  ['gm-2.5-flash', 'Fail {{sim status=503}}'],
];
const ROUNDS = 6;

/** Uploads a file that is kept, and sends it as a batch. */
async function makeBatch(baseUrl, apiKey, send) {
  const line = (id) =>
    JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: chat('gm-2.5-flash', id) });
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([['a', 'b', 'c'].map(line).join('\n')]), 'questions.jsonl');
  const headers = { authorization: `Bearer ${apiKey}` };
  const file = await json(await fetch(`${baseUrl}/v1/files`, { method: 'POST', headers, body: form }));
  const batch = {
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    max_cost_usd: '1',
  };
  await json(await send('/v1/batches', batch));
}

/**
 * Registers a customer with credit, and makes what the pages show. Returns how to sign in, a request with a receipt, and
 * `promote`, which makes the person an operator.
 */
export async function makeData({ baseUrl, accountUrl, adminToken }) {
  const email = `screenshots-${Date.now()}@example.com`;
  const visitor = sender(accountUrl, '');
  await json(await visitor('/account/register', { email, password: PASSWORD, name: 'Ada' }));
  const { token, account } = await json(await visitor('/account/login', { email, password: PASSWORD }));
  const member = sender(accountUrl, token);
  const credit = { amount_usd: '250', reason: 'Bank transfer 2214', reference: account.id };
  await json(await sender(accountUrl, adminToken)(`/admin/accounts/${account.id}/credits`, credit));
  const caps = [{ period: 'day', measure: 'usd', limit: '20', hard: true }];
  const { key } = await json(await member('/account/keys', { name: 'website', caps }));
  await json(await member('/account/keys', { name: 'agents', models: ['gm-2.5-flash', 'cl-sonnet-4-6'] }));
  await json(
    await member('/account/webhook-endpoints', { url: 'https://example.com/webhooks', description: 'Production' }),
  );
  const send = sender(baseUrl, key);
  for (const text of VIDEOS) await json(await send('/v1/videos/generations', video(text)));
  await makeBatch(baseUrl, key, send);
  const answers = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [model, text] of CHATS) answers.push(await send('/v1/chat/completions', chat(model, text)));
  }
  await send('/v1/chat/completions', chat('no-such-model', 'Say hello'));
  const later = { 'content-type': 'application/json', authorization: `Bearer ${key}`, prefer: 'respond-async' };
  const body = JSON.stringify(chat('gm-2.5-flash', 'Take your time'));
  await json(await fetch(`${baseUrl}/v1/chat/completions`, { method: 'POST', headers: later, body }));
  await Promise.all(answers.map((answer) => answer.text()));
  const promote = async () =>
    json(await sender(accountUrl, adminToken)('/admin/administrators', { name: `Ada ${account.id}`, email }));
  return { email, password: PASSWORD, requestId: answers[0].headers.get('x-request-id'), promote };
}
