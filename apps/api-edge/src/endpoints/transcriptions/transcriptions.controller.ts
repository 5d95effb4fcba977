import { GatewayError, truncateForError } from '@gateway/contracts';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RunOnce } from '../../run-once.service.js';
import type { ReceivedForm } from '../../uploads/received-form.js';
import { ReadRequest } from '../json/read-request.service.js';
import { ReceiveForms } from '../receive-forms.service.js';

const ENDPOINT = 'audio.transcriptions';
const FILE = 'file';

/** POST /v1/audio/transcriptions: turns the form into JSON, which is read as that of every JSON endpoint. */
@Controller('v1/audio/transcriptions')
export class TranscriptionsController {
  constructor(
    private readonly forms: ReceiveForms,
    private readonly requests: ReadRequest,
    private readonly runOnce: RunOnce,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = await this.forms.receive(ENDPOINT, http, reply);
    let body: Buffer;
    try {
      body = await jsonOf(form);
    } finally {
      await form.remove();
    }
    await this.runOnce.run(await this.requests.read({ endpoint: ENDPOINT, body }, http, reply), reply);
  }
}

/** The fields of a form and its file as base64, without a copy of the file as text. */
async function jsonOf(form: ReceivedForm): Promise<Buffer> {
  if (form.fields[FILE] !== undefined) throw refusal(FILE, 'expected a file, a part with a file name.');
  const other = form.files.find(({ field }) => field !== FILE);
  if (other !== undefined) throw refusal(other.field, "expected one file, in 'file'.");
  if (form.files.length > 1) throw refusal(FILE, 'expected one file.');
  const fields = Buffer.from(JSON.stringify(form.fields));
  if (form.files.length === 0) return fields;
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.read(Buffer.alloc(0))) chunks.push(chunk);
  const file = Buffer.from(Buffer.concat(chunks).toString('base64'), 'latin1');
  const comma = Object.keys(form.fields).length === 0 ? '' : ',';
  return Buffer.concat([fields.subarray(0, -1), Buffer.from(`${comma}"${FILE}":"`), file, Buffer.from('"}')]);
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${truncateForError(param)}': ${expected}`, { param });
