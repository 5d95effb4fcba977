import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, syncWorkerConfig } from './index.js';

const worker = { PORT: '8083', REDIS_URL: 'redis://localhost:6379', RELAY_SECRET: 'r'.repeat(32) };
const load = (more: Record<string, string>) => loadConfig('sync-worker', syncWorkerConfig, { ...worker, ...more });

function problems(more: Record<string, string>): string {
  try {
    load(more);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('loadConfig', () => {
  it('names every wrong variable in one message and shows no value', () => {
    const message = problems({
      PORT: 'eighty',
      RELAY_SECRET: 'too-short-a-secret',
      SIMULATOR_URL: 'http://localhost:1',
    });
    expect(message).toContain('PORT');
    expect(message).toContain('RELAY_SECRET');
    expect(message).not.toContain('too-short-a-secret');
  });

  it('treats an empty secret as one that is missing', () => {
    expect(problems({ RELAY_SECRET: '', SIMULATOR_URL: 'http://localhost:1' })).toContain('RELAY_SECRET');
  });
});

describe('channels', () => {
  it('simulates a vendor without a key, in development only', () => {
    const { channels } = load({ SIMULATOR_URL: 'http://localhost:8090/', ANTHROPIC_API_KEY: 'a' });
    expect(channels.find(({ vendor }) => vendor === 'openai')?.baseUrl).toBe('http://localhost:8090/openai');
    expect(channels.find(({ vendor }) => vendor === 'anthropic')?.baseUrl).toBe('https://api.anthropic.com');
    expect(problems({ NODE_ENV: 'production', SIMULATOR_URL: 'http://localhost:1' })).toContain('SIMULATOR_URL');
  });

  it('refuses a vendor that is served but has neither key nor simulator', () => {
    expect(problems({ VENDORS: 'openai' })).toContain('OPENAI_API_KEY');
  });

  it('takes several credentials, as a list of keys or with weights of their own', () => {
    expect(load({ VENDORS: 'openai', OPENAI_API_KEY: 'a, b' }).channels.map(({ credential }) => credential)).toEqual([
      'a',
      'b',
    ]);
    const listed = JSON.stringify([
      { id: 'x', apiKey: 'k', weight: 3 },
      { id: 'y', apiKey: 'l', baseUrl: 'http://h/v' },
    ]);
    expect(load({ VENDORS: 'openai', OPENAI_CHANNELS: listed }).channels).toEqual([
      { id: 'x', vendor: 'openai', baseUrl: 'https://api.openai.com', credential: 'k', weight: 3 },
      { id: 'y', vendor: 'openai', baseUrl: 'http://h/v', credential: 'l', weight: 1 },
    ]);
    expect(problems({ VENDORS: 'openai', OPENAI_CHANNELS: '[{"id":"x"}]' })).toContain('OPENAI_CHANNELS');
  });
});
