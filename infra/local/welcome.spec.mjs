import { describe, expect, it } from '@jest/globals';
import { welcome } from './welcome.mjs';

const addresses = {
  baseUrl: 'http://127.0.0.1:8080',
  mcpUrl: null,
  accountUrl: 'http://127.0.0.1:8082',
  consoleUrl: 'http://127.0.0.1:8082/console/',
  adminToken: 'admin-token',
  apiKey: 'sk-demo',
  demoEmail: 'demo@example.com',
  demoPassword: 'demo-secret',
  simulatorUrl: 'http://127.0.0.1:8090',
  redisUrl: 'redis://127.0.0.1:6380',
  databaseUrl: 'postgresql://gateway:password@127.0.0.1:5433/gateway',
};
const text = welcome(addresses, '9.50');

describe('the welcome text of npm start', () => {
  it('shows three commands with the key, each on one line', () => {
    const commands = text.split('\n').filter((line) => line.startsWith('curl '));
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toContain("-H 'Authorization: Bearer sk-demo'");
    for (const command of commands.slice(0, 2)) {
      const body = JSON.parse(/-d '(.*)'$/.exec(command)[1]);
      expect(body.messages).toHaveLength(1);
    }
  });

  it('shows the balance and the base URL for an official client', () => {
    expect(text).toContain('$9.50');
    expect(text).toContain('base_url="http://127.0.0.1:8080/v1"');
  });

  it('shows the address of the console, and the login of the demo account', () => {
    expect(text).toContain('http://127.0.0.1:8082/console/');
    expect(text).toMatch(/^ {2}Demo login {4}demo@example\.com {2}demo-secret /m);
  });

  it('shows neither the database password nor the admin token', () => {
    expect(text).not.toContain('password');
    expect(text).not.toContain('admin-token');
  });

  it('shows the MCP address only if mcp-server runs', () => {
    expect(text).not.toContain('MCP');
    expect(welcome({ ...addresses, mcpUrl: 'http://127.0.0.1:8085/mcp' }, '1')).toContain('http://127.0.0.1:8085/mcp');
  });
});
