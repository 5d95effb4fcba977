import { isUtf8 } from 'node:buffer';
import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import {
  type ContentPart,
  type Database,
  findKey,
  isSealBroken,
  type KeptContent,
  readContent,
  secretSeal,
} from '@gateway/postgres';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { z } from 'zod';
import { AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { managedBy } from '../http/managed-keys.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { CONTENTS, type contentsRecord } from './contents.description.js';

/** Text that was cut may end within a character. */
const CUT_TEXT = /^(text\/|application\/json)/;

const partView = (part: ContentPart | null) => {
  if (part === null) return null;
  const { bytes, contentType, isTruncated } = part;
  const isText = isUtf8(bytes) || (isTruncated && CUT_TEXT.test(contentType));
  return {
    content_type: contentType === '' ? null : contentType,
    text: isText ? bytes.toString() : null,
    base64: isText ? null : bytes.toString('base64'),
    is_truncated: isTruncated,
  };
};

const view = (requestId: string, content: KeptContent): z.output<typeof contentsRecord> => ({
  request_id: requestId,
  key_id: content.keyId,
  request: partView(content.request),
  response: partView(content.response),
  response_path: content.isResult ? `/v1/requests/${requestId}/result` : null,
  is_complete: content.isComplete,
  kept_at: content.createdAt.toISOString(),
  expires_at: content.expiresAt.toISOString(),
});

/** Prompts and answers that an organisation keeps for itself. No administrator sees them, and no key. */
@Controller('account/requests/:requestId/contents')
export class ContentsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'contentKeys'>,
  ) {}

  @Describe(CONTENTS.read)
  @AllowSession('developer')
  @Get()
  async read(@CallerSession() caller: SessionCaller, @Param('requestId') requestId: string) {
    if (caller.viewedBy !== undefined) {
      throw new GatewayError('permission_denied', 'Only members of the organisation see prompts and answers.');
    }
    const content = await this.#find(caller.account.id, requestId);
    const key = content && (await findKey(this.database, managedBy(caller), content.keyId));
    if (content !== null && key !== null) return view(requestId, content);
    throw new GatewayError(
      'not_found',
      'Nothing is kept of this request. A key keeps prompts and answers for 24 hours if its owner sets `keep_contents`.',
    );
  }

  async #find(accountId: string, requestId: string): Promise<KeptContent | null> {
    const seal = secretSeal(this.config.contentKeys);
    try {
      return await readContent(this.database, { accountId, requestId }, seal);
    } catch (error) {
      if (!isSealBroken(error)) throw error;
      throw new GatewayError('service_unavailable', 'What is kept of this request cannot be opened right now.');
    }
  }
}
