import { ENDPOINTS, type Endpoint, GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReceiveBodies } from '../receive/receive-bodies.service.js';
import { receiveForm } from '../uploads/receive-form.js';
import type { ReceivedForm } from '../uploads/received-form.js';
import { UploadFolder } from '../uploads/upload-folder.js';

/** Receives the form of a request. */
@Injectable()
export class ReceiveForms {
  constructor(
    @Inject(UploadFolder) private readonly uploads: UploadFolder,
    private readonly bodies: ReceiveBodies,
  ) {}

  /** The owner must call `remove`. Throws 415 for another content type, 413 above the endpoint's limit, 400 if malformed. */
  async receive(endpoint: Endpoint, http: FastifyRequest, reply: FastifyReply): Promise<ReceivedForm> {
    if (http.body !== http.raw) {
      throw new GatewayError('unsupported_media_type', "Unsupported content type: send 'multipart/form-data'.");
    }
    const limits = {
      bytes: ENDPOINTS[endpoint].bodyLimitBytes,
      onBytes: (bytes: number) => this.bodies.grow(http, bytes),
    };
    return receiveForm(http.raw, this.uploads, limits).catch((error: unknown) => {
      // The remaining body may still arrive on this connection.
      reply.header('connection', 'close');
      throw error;
    });
  }
}
