import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import { encodeEditHead, GatewayError } from '@gateway/contracts';
import { isLongJson, parseJsonBody, validateImageEdit } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { receivedRequest } from '../../http/received-request.js';
import { setModel } from '../../http/request-context.js';
import { RunOnce } from '../../run-once.service.js';
import { isEditJson, mayBeEditJson } from '../../uploads/form-of-json.js';
import { ReceivedForm } from '../../uploads/received-form.js';
import { ReadRequest } from '../json/read-request.service.js';
import { LongJson } from '../long-json.service.js';
import { ReceiveForms, unsupportedContentType } from '../receive-forms.service.js';

const ENDPOINT = 'images.edits';

/** xAI edits images by its own JSON alone, and its clients send that. */
function checkTakesJson({ imageGeneration }: CatalogueModel): void {
  if (imageGeneration?.protocol !== 'xai-images') throw unsupportedContentType();
}

/**
 * POST /v1/images/edits: receives a form, or the JSON that OpenAI takes in its place. The files are on disk until the request
 * has ended. xAI's JSON is a generation with reference images.
 */
@Controller('v1/images/edits')
export class ImagesEditsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
    private readonly forms: ReceiveForms,
    private readonly requests: ReadRequest,
    private readonly longJson: LongJson,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (Buffer.isBuffer(http.body)) return this.#runJson(http.body, http, reply);
    return this.#runForm(await this.forms.receive(ENDPOINT, http, reply), http, reply);
  }

  async #runForm(form: ReceivedForm, http: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.#run(form, http, reply);
    } finally {
      await form.remove();
    }
  }

  async #runJson(body: Buffer, http: FastifyRequest, reply: FastifyReply): Promise<void> {
    const read = mayBeEditJson(body) ? await this.#readJson(body) : body;
    return read instanceof ReceivedForm ? this.#runForm(read, http, reply) : this.#runGrok(read, http, reply);
  }

  /** A separate function, so that the parsed body is freed before the response ends. Returns the bytes of xAI's JSON. */
  async #readJson(body: Buffer): Promise<ReceivedForm | Buffer> {
    const { fields, bytes } = isLongJson(body) ? await this.longJson.parse(body) : parseJsonBody(body);
    return isEditJson(fields) ? this.forms.ofJson(fields) : bytes;
  }

  async #runGrok(body: Buffer, http: FastifyRequest, reply: FastifyReply): Promise<void> {
    const requested = { endpoint: 'images.generations', body, checkModel: checkTakesJson } as const;
    const valid = await this.requests.read(requested, http, reply);
    if (valid.hasReferences === true) return this.runOnce.run(valid, reply);
    throw new GatewayError('invalid_request', '\'image\': expected the image to edit, such as {"url": "https://…"}.', {
      param: 'image',
    });
  }

  #run(form: ReceivedForm, http: FastifyRequest, reply: FastifyReply): Promise<void> {
    const received = receivedRequest(http);
    const model = withCapability(this.models.resolve(form.fields.model, ENDPOINT, received.caller.key), 'imageEdits');
    setModel(http, reply, model, 'endpoint');
    const { worstCase, request, files, changes } = validateImageEdit(form, model);
    const head = encodeEditHead({ request, files });
    const bytes = files.reduce((sum, file) => sum + file.bytes, head.length);
    return this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase,
        body: { bytes, read: () => form.read(head) },
        abortContract: 'completes',
        isStream: request.stream === true,
        ...(changes !== undefined && { changes }),
      },
      reply,
    );
  }
}
