import { newRequestId } from '@gateway/contracts';
import { type ContentWriter, openContentWriter, type RequestContent, removeExpiredContents } from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

const PROMPT = 'where is the {"treasure"}? 宝藏';
const json = (text: string) => ({ contentType: 'application/json', bytes: Buffer.from(text), isTruncated: false });
const CONTENT: RequestContent = {
  request: json(PROMPT),
  response: json('under the tree'),
  isResult: false,
  isComplete: true,
};

let accounts: AccountInterface;
/** As an edge opens it. */
let writer: ContentWriter;
let organisation: Awaited<ReturnType<AccountInterface['organisation']>>;

beforeAll(async () => {
  accounts = await AccountInterface.open();
  writer = openContentWriter({
    databaseUrl: accounts.test.databaseUrl,
    poolSize: 2,
    applicationName: 'test-contents',
    onError: () => undefined,
    contentKeys: [Buffer.alloc(32, 7)],
  });
  organisation = await accounts.organisation();
});

afterAll(async () => {
  await writer.close();
  await accounts.close();
});

const newKey = async (token = organisation.tokens.owner, more: object = { keep_contents: true }) =>
  (await accounts.call('POST', '/account/keys', { name: 'kept', ...more }, token)).body as {
    id: string;
    keep_contents: boolean;
  };

async function keep(keyId: string, content = CONTENT, accountId = organisation.id) {
  const requestId = newRequestId();
  const isKept = await writer.keep({ accountId, requestId, keyId }, content);
  return { requestId, isKept };
}

const look = (requestId: string, token = organisation.tokens.owner) =>
  accounts.call('GET', `/account/requests/${requestId}/contents`, undefined, token);
const rowsOf = (keyId: string) => accounts.database.prisma.requestContent.count({ where: { keyId } });

describe('prompts and answers', () => {
  it('are shown to their organisation, and each look is in its audit log', async () => {
    const { requestId, isKept } = await keep((await newKey()).id);
    expect(isKept).toBe(true);
    const { status, body } = await look(requestId);
    expect([status, body]).toMatchObject([
      200,
      {
        request_id: requestId,
        request: { content_type: 'application/json', text: PROMPT, base64: null, is_truncated: false },
        response: { text: 'under the tree' },
        response_path: null,
        is_complete: true,
      },
    ]);
    expect(Date.parse(body.expires_at) - Date.parse(body.kept_at)).toBeGreaterThan(23 * 3_600_000);
    const audit = await accounts.call(
      'GET',
      `/account/audit?subject=${requestId}`,
      undefined,
      organisation.tokens.owner,
    );
    expect(audit.body.data).toMatchObject([{ action: 'contents.read', actor: 'person', status: 200 }]);
    expect(JSON.stringify(audit.body)).not.toContain('treasure');
  });

  it('show bytes that are no text in base64, and say what is missing', async () => {
    const image = { contentType: 'image/png', bytes: Buffer.from([0x89, 0xff, 0x00]), isTruncated: true };
    const kept = { request: null, response: image, isResult: false, isComplete: false };
    const { requestId } = await keep((await newKey()).id, kept);
    expect((await look(requestId)).body).toMatchObject({
      request: null,
      response: { content_type: 'image/png', text: null, base64: 'if8A', is_truncated: true },
      is_complete: false,
    });
    const later = await keep((await newKey()).id, { ...kept, response: null, isResult: true });
    expect((await look(later.requestId)).body).toMatchObject({
      response: null,
      response_path: `/v1/requests/${later.requestId}/result`,
    });
  });

  it('are sealed in the database', async () => {
    const { requestId } = await keep((await newKey()).id);
    const row = await accounts.database.prisma.requestContent.findUniqueOrThrow({ where: { requestId } });
    expect(Buffer.from(row.sealed).includes('treasure')).toBe(false);
    const [used] = await accounts.database.prisma.$queryRaw<{ bytes: bigint }[]>`
      SELECT response_bytes AS bytes FROM store_use WHERE account_id = ${organisation.id}`;
    expect(Number(used?.bytes)).toBeGreaterThanOrEqual(row.bytes);
  });

  it('of another account, another member or an unknown request are a 404', async () => {
    const { requestId } = await keep((await newKey()).id);
    const stranger = await accounts.register();
    const answers = [
      await look(requestId, stranger.token),
      await look(newRequestId()),
      await look(requestId, organisation.tokens.developer),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const own = await keep((await newKey(organisation.tokens.developer)).id);
    expect((await look(own.requestId, organisation.tokens.developer)).status).toBe(200);
  });

  it('are not shown to viewers, to keys, or to an administrator who reads the account', async () => {
    const key = await accounts.call(
      'POST',
      '/account/keys',
      { name: 'k', scopes: ['account:read'], keep_contents: true },
      organisation.tokens.owner,
    );
    const { requestId } = await keep(key.body.id);
    const view = await accounts.call(
      'POST',
      `/admin/accounts/${organisation.id}/views`,
      { reason: 'a ticket' },
      accounts.adminToken,
    );
    const answers = [
      await look(requestId, organisation.tokens.viewer),
      await look(requestId, organisation.tokens.billing),
      await look(requestId, view.body.token),
      await look(requestId, key.body.key),
      await look(requestId, accounts.adminToken),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 401, 401]);
  });

  it('cannot be moved to another request or account', async () => {
    const first = await keep((await newKey()).id);
    const second = newRequestId();
    await accounts.resources.database.prisma.$executeRaw`
      INSERT INTO request_content (request_id, account_id, key_id, sealed, bytes, expires_at)
        SELECT ${second}, account_id, key_id, sealed, bytes, expires_at FROM request_content WHERE request_id = ${first.requestId}`;
    expect((await look(second)).status).toBe(500);
  });

  it('are kept only if the key asks for it, which is off by default', async () => {
    const key = await newKey(organisation.tokens.owner, {});
    expect(key.keep_contents).toBe(false);
    expect((await keep(key.id)).isKept).toBe(false);
    const wrong = await accounts.call(
      'PATCH',
      `/account/keys/${key.id}`,
      { keep_contents: 'yes' },
      organisation.tokens.owner,
    );
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'keep_contents']);
  });

  it('end with their key, and when it keeps them no longer', async () => {
    const [revoked, changed] = [await newKey(), await newKey()];
    for (const { id } of [revoked, changed]) await keep(id);
    expect([await rowsOf(revoked.id), await rowsOf(changed.id)]).toEqual([1, 1]);
    await accounts.call('DELETE', `/account/keys/${revoked.id}`, undefined, organisation.tokens.owner);
    await accounts.call('PATCH', `/account/keys/${changed.id}`, { keep_contents: false }, organisation.tokens.owner);
    expect([await rowsOf(revoked.id), await rowsOf(changed.id)]).toEqual([0, 0]);
    expect((await keep(revoked.id)).isKept).toBe(false);
  });

  it('end after their time', async () => {
    const { requestId } = await keep((await newKey()).id);
    const old = newRequestId();
    await accounts.resources.database.prisma.$executeRaw`
      INSERT INTO request_content (request_id, account_id, key_id, sealed, bytes, expires_at)
        SELECT ${old}, account_id, key_id, sealed, bytes, now() - interval '1 second' FROM request_content
          WHERE request_id = ${requestId}`;
    expect((await look(old)).status).toBe(404);
    expect(await removeExpiredContents(accounts.database, 50)).toBe(1);
  });

  it('are kept by the key that replaces another one', async () => {
    const { id } = await newKey();
    const rotated = await accounts.call('POST', `/account/keys/${id}/rotate`, {}, organisation.tokens.owner);
    expect(rotated.body.keep_contents).toBe(true);
  });
});
