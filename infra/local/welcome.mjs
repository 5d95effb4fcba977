import { existsSync, readFileSync } from 'node:fs';
import { gatewayFile } from './project-paths.mjs';

const curl = (address, apiKey, body) =>
  `curl -sN ${address} -H 'Authorization: Bearer ${apiKey}'${body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`}`;

const chat = (model, text, more = {}) => ({ model, messages: [{ role: 'user', content: text }], ...more });

const addressRows = ({ baseUrl, mcpUrl, accountUrl, simulatorUrl, databaseUrl, redisUrl, queueRedisUrl }) =>
  [
    ['Gateway', baseUrl],
    ['OpenAI client', `base_url="${baseUrl}/v1"`],
    ...(mcpUrl === null ? [] : [['MCP', mcpUrl]]),
    ['Accounts', accountUrl],
    ['Simulator', simulatorUrl],
    ['PostgreSQL', databaseUrl.replace(/:[^:@/]+@/, ':…@')],
    ['Redis', redisUrl],
    ...(queueRedisUrl === undefined ? [] : [['Queues', queueRedisUrl]]),
  ].map(([name, value]) => `  ${name.padEnd(14)}${value}`);

/** The final output of `npm start`: the addresses, the demo key, and three commands to paste. */
export function welcome(addresses, creditUsd) {
  const { baseUrl, apiKey } = addresses;
  return [
    '',
    'The gateway runs.',
    ...addressRows(addresses),
    '',
    `  Demo key      ${apiKey}`,
    `  Its credit    $${creditUsd}`,
    '',
    'Try it:',
    '',
    curl(`${baseUrl}/v1/chat/completions`, apiKey, chat('gm-2.5-flash', 'Say hello')),
    '',
    curl(`${baseUrl}/v1/chat/completions`, apiKey, chat('cl-sonnet-4-6', 'Count to five', { stream: true })),
    '',
    curl(`${baseUrl}/v1/models`, apiKey),
    '',
    'The same addresses and the admin token are in .local/gateway.json, the logs in .local/logs/. Ctrl-C stops everything.',
  ].join('\n');
}

export function describeRunning({ pid }) {
  const lead = `The gateway already runs (process ${pid}); \`npm run stop\` stops it.`;
  if (!existsSync(gatewayFile)) return `${lead} It is still starting.`;
  return [lead, ...addressRows(JSON.parse(readFileSync(gatewayFile, 'utf8')))].join('\n');
}
