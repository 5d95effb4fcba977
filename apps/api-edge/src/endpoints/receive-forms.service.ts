import { ENDPOINTS, type Endpoint, FILE_FORM_LIMIT_BYTES, GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReceiveBodies } from '../receive/receive-bodies.service.js';
import { formOfJson } from '../uploads/form-of-json.js';
import { type FormLimits, receiveForm, receiveHashedForm } from '../uploads/receive-form.js';
import { type FormFiles, ReceivedForm } from '../uploads/received-form.js';
import { UploadFolder } from '../uploads/upload-folder.js';

export const unsupportedContentType = (): GatewayError =>
  new GatewayError('unsupported_media_type', "Unsupported content type: send 'multipart/form-data'.");

/** Receives the form of a request. Throws 415 for another content type, 413 above the limit, 400 if malformed. */
@Injectable()
export class ReceiveForms {
  constructor(
    @Inject(UploadFolder) private readonly uploads: UploadFolder,
    private readonly bodies: ReceiveBodies,
  ) {}

  /** The form of a model's request. The owner must call `remove`. `fieldBytes`: the limit of one text, if it may be long. */
  receive(endpoint: Endpoint, http: FastifyRequest, reply: FastifyReply, fieldBytes?: number): Promise<ReceivedForm> {
    const bytes = ENDPOINTS[endpoint].bodyLimitBytes;
    return this.#receive(receiveForm, { bytes, ...(fieldBytes !== undefined && { fieldBytes }) }, http, reply);
  }

  /** The form that an edit as JSON means. The owner must call `remove`. */
  async ofJson(body: Readonly<Record<string, unknown>>): Promise<ReceivedForm> {
    return ReceivedForm.of(await formOfJson(body, this.uploads));
  }

  /** The form of an upload. The owner must remove the files. */
  receiveHashed(http: FastifyRequest, reply: FastifyReply): Promise<FormFiles> {
    return this.#receive(receiveHashedForm, { bytes: FILE_FORM_LIMIT_BYTES }, http, reply);
  }

  async #receive<Form>(
    receive: (...from: Parameters<typeof receiveForm>) => Promise<Form>,
    given: Pick<FormLimits, 'bytes' | 'fieldBytes'>,
    http: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Form> {
    if (http.body !== http.raw) throw unsupportedContentType();
    const limits = { ...given, onBytes: (received: number) => this.bodies.grow(http, received) };
    return receive(http.raw, this.uploads, limits).catch((error: unknown) => {
      // The remaining body may still arrive on this connection.
      reply.header('connection', 'close');
      throw error;
    });
  }
}
