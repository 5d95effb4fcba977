import { existsSync, readFileSync } from 'node:fs';
import { gatewayFile } from './project-paths.mjs';

const curl = (address, apiKey, body) =>
  `curl -sN ${address} -H 'Authorization: Bearer ${apiKey}'${body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`}`;

const chat = (model, text, options = {}) => ({ model, messages: [{ role: 'user', content: text }], ...options });

const addressRows = ({ baseUrl, mcpUrl, accountUrl, consoleUrl, simulatorUrl, databaseUrl, redisUrl, queueRedisUrl }) =>
  [
    ['Gateway', baseUrl],
    ['OpenAI client', `base_url="${baseUrl}/v1"`],
    ...(mcpUrl === null ? [] : [['MCP', mcpUrl]]),
    ['Console', consoleUrl],
    ['Accounts', accountUrl],
    ['Simulator', simulatorUrl],
    ['PostgreSQL', databaseUrl.replace(/:[^:@/]+@/, ':…@')],
    ['Redis', redisUrl],
    ...(queueRedisUrl === undefined ? [] : [['Queues', queueRedisUrl]]),
  ].map(([name, value]) => `  ${name.padEnd(14)}${value}`);

/** The last output of `npm start`: addresses, the demo key and login, and three commands to paste. */
export function welcome(addresses, balanceUsd) {
  const { baseUrl, apiKey, demoEmail, demoPassword } = addresses;
  return [
    '',
    'The gateway is running.',
    ...addressRows(addresses),
    '',
    `  Demo key      ${apiKey}`,
    `  Demo login    ${demoEmail}  ${demoPassword}  (at the console)`,
    `  Balance       $${balanceUsd}`,
    '',
    'Try these commands:',
    '',
    curl(`${baseUrl}/v1/chat/completions`, apiKey, chat('gm-3.5-flash-lite', 'Say hello')),
    '',
    curl(`${baseUrl}/v1/chat/completions`, apiKey, chat('cl-sonnet-4-6', 'Count to five', { stream: true })),
    '',
    curl(`${baseUrl}/v1/models`, apiKey),
    '',
    'Addresses and the admin token: .local/gateway.json. Logs: .local/logs/. Press Ctrl-C to stop.',
  ].join('\n');
}

export function describeRunning({ pid }) {
  const lead = `The gateway is already running (process ${pid}). To stop it, run \`npm run stop\`.`;
  if (!existsSync(gatewayFile)) return `${lead}\nIt is still starting.`;
  return [lead, ...addressRows(JSON.parse(readFileSync(gatewayFile, 'utf8')))].join('\n');
}
