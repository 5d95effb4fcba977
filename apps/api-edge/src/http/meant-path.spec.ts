import { describe, expect, it } from '@jest/globals';
import { meantUrl } from './meant-path.js';

describe('meantUrl', () => {
  it.each([
    ['/v1/chat/completions/', '/v1/chat/completions'],
    ['//v1//chat///completions', '/v1/chat/completions'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/v1/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['/v1/v1/v1/messages/count_tokens/', '/v1/messages/count_tokens'],
    ['/models/', '/v1/models'],
    ['/v1/v1beta/models/gm-2.5-pro:generateContent', '/v1beta/models/gm-2.5-pro:generateContent'],
    ['/v1beta/v1/models', '/v1/models'],
    ['/models/gm-2.5-pro:countTokens', '/v1/models/gm-2.5-pro:countTokens'],
    ['/v1/models/gm-2.5-pro/?a=b//c', '/v1/models/gm-2.5-pro?a=b//c'],
    ['/v2/rerank', '/v1/rerank'],
    ['/v1/interactions', '/v1beta/interactions'],
    ['/interactions/int_a/cancel', '/v1beta/interactions/int_a/cancel'],
    ['/v1/interactions/int_a?stream=true', '/v1beta/interactions/int_a?stream=true'],
    ['/v1/v2/rerank/?a=b', '/v1/rerank?a=b'],
    ['/openai/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/openai/embeddings', '/v1/embeddings'],
    ['/v1beta/openai/models', '/v1/models'],
    ['/openai/deployments/gp-5.4-mini/chat/completions?api-version=1', '/v1/chat/completions?api-version=1'],
    ['/openai/deployments/a/images/edits', '/v1/images/edits'],
    ['/openai/responses/resp_a?api-version=1', '/v1/responses/resp_a?api-version=1'],
    ['/api/v1/chat/completions', '/v1/chat/completions'],
    ['/api/v1beta/models/gm-2.5-pro:countTokens', '/v1beta/models/gm-2.5-pro:countTokens'],
    ['/anthropic/v1/messages', '/v1/messages'],
    ['/anthropic/messages', '/v1/messages'],
    ['/compatible-mode/v1/chat/completions', '/v1/chat/completions'],
    ['/openai/v1/files', '/v1/files'],
    ['/openai/files/file_a/content?api-version=1', '/v1/files/file_a/content?api-version=1'],
    ['/openai/v1/batches/batch_a/cancel', '/v1/batches/batch_a/cancel'],
    ['/v1/files/', '/v1/files'],
    ['/batches', '/v1/batches'],
    ['/v1//requests/req_a/result', '/v1/requests/req_a/result'],
    ['/videos/generations/task_a/events', '/v1/videos/generations/task_a/events'],
  ])('reads %s as %s', (url, meant) => {
    expect(meantUrl(url)).toBe(meant);
  });

  it.each([
    '/v1/chat/completions',
    '/v1beta/models/gm-2.5-pro:generateContent',
    '/v1/models?cursor=a//b',
    '//metrics',
    '/metrics/',
    '/v1/v1/admin/accounts',
    '/v1//internal/escrow',
    '//healthz',
    '/v2/models',
    '/v2/rerank/more',
    '/v2/v2/rerank',
    '/v1/v2/chat/completions',
    '/v1/%2fmessages/',
    '/openai/metrics',
    '/api/healthz',
    '/api/v1/internal/escrow',
    '/v1/api/admin/accounts',
    '/api/deployments/a/chat/completions',
    '/openai/deployments',
    '/v1/openai/',
    '/apis/v1/messages',
    '/CHAT/completions',
    '/v1/../messages',
    'http://other/v1/messages',
    '*',
    '/',
    '',
  ])('leaves %j as it is', (url) => {
    expect(meantUrl(url)).toBe(url);
  });
});
