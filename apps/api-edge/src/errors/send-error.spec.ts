import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { renderErrorEvent, routeNotFound, toGatewayError } from './send-error.js';

const messageFor = (url: string): string =>
  routeNotFound({ method: 'POST', url, protocol: 'https', host: 'models.example' }).message;

it('names every route that takes a form in the 415 for another content type', () => {
  const error = Object.assign(new Error('media'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });
  const paths = ['/v1/files', '/v1/images/edits', '/v1/audio/transcriptions', '/v1/videos'];
  expect(toGatewayError(error).message).toContain(`'multipart/form-data' to ${paths.join(', ')}.`);
});

describe('the 404 of a path without a route', () => {
  it.each(['/v1/team/chat/completions', '/team/v1/messages', '/nothing?key=secret'])(
    'names the base URLs: %s',
    (url) => {
      expect(messageFor(url)).toContain('The base URL is https://models.example/v1 for OpenAI libraries');
      expect(messageFor(url)).not.toContain('secret');
    },
  );

  it.each([
    ...[
      '/v1/moderations',
      '/v1/audio/translations',
      '/v1/vector_stores/vs_1/files',
      '/v1/videos/edits',
      '/v1/videos/task_1/remix',
      '/v1/threads/t/messages',
    ],
    ...['/v1/chat/completions/chatcmpl-1', '/v1/organization/usage/embeddings', '/v1/chat/completion'],
    ...['/v1/skills', '/v1/memory_stores/m/memories', '/v1/organizations/workspaces'],
    ...['/v1beta/cachedContents', '/upload/v1beta/files', '/v1alpha/auth_tokens'],
  ])('says that the endpoint is not served: %s', (url) => {
    expect(messageFor(url)).toBe(
      `There is no such route: POST ${url}. This gateway does not serve this endpoint. https://models.example/docs lists what it serves.`,
    );
  });
});

describe('the event that ends a broken stream', () => {
  it('has the form of interactions', () => {
    const error = new GatewayError('upstream_error', 'It broke.');
    const broken = { requestId: 'req_a', model: 'gm-2.5-flash', sent: undefined };
    expect(renderErrorEvent(error, { ...broken, dialect: 'interactions' })).toBe(
      'event: error\ndata: {"event_type":"error","error":{"code":"upstream_error","message":"It broke."}}\n\n',
    );
  });
});
