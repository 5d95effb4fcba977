import { ENDPOINTS, type VideoCreation, videoCreation } from '@gateway/contracts';
import { checked, isLongJson, parseJsonBody } from '@gateway/intake';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRoom } from '../../edge-request.js';
import { callerOf } from '../../http/request-context.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { nestedFields } from '../../uploads/nested-fields.js';
import { LongJson } from '../long-json.service.js';
import { ReceiveForms } from '../receive-forms.service.js';
import { SubmitVideo, type VideoModel } from '../videos-generations/submit-video.service.js';
import { ReadReference } from './read-reference.service.js';

const ENDPOINT = 'videos.generations';

/** A creation as its client sent it. */
export interface ReceivedVideo {
  readonly model: VideoModel;
  readonly creation: VideoCreation;
  /** The address or the data URL of its reference. */
  readonly image: string | undefined;
  /** Its body is written outside the event loop. */
  readonly isLong: boolean;
}

/** Reads what a client asks for: JSON, or the form that OpenAI's libraries send with or without a file. */
@Injectable()
export class ReadCreation {
  constructor(
    private readonly videos: SubmitVideo,
    private readonly references: ReadReference,
    private readonly forms: ReceiveForms,
    private readonly longJson: LongJson,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  /** Throws a 400 that names the field, and the errors of the model, the form and the file. */
  read(http: FastifyRequest, reply: FastifyReply): Promise<ReceivedVideo> {
    return http.body === http.raw ? this.#readForm(http, reply) : this.#readJson(http, reply);
  }

  async #readJson(http: FastifyRequest, reply: FastifyReply): Promise<ReceivedVideo> {
    const isLong = isLongJson(http.body);
    const { fields } = isLong ? await this.longJson.parse(http.body as Buffer) : parseJsonBody(http.body);
    const model = this.videos.modelOf(fields.model, http, reply, 'endpoint');
    const creation = checked(videoCreation, fields);
    const image = await this.#imageOf(creation, http, reply);
    return { model, creation, image, isLong: isLong || creation.input_reference?.file_id != null };
  }

  /** A text of the form may be a data URL. */
  async #readForm(http: FastifyRequest, reply: FastifyReply): Promise<ReceivedVideo> {
    const form = await this.forms.receive(ENDPOINT, http, reply, ENDPOINTS[ENDPOINT].bodyLimitBytes);
    try {
      const fields = nestedFields(form.fields, ['input', 'parameters']);
      const model = this.videos.modelOf(fields.model, http, reply, 'endpoint');
      const creation = checked(videoCreation, fields);
      const image = (await this.references.ofForm(form)) ?? (await this.#imageOf(creation, http, reply));
      return { model, creation, image, isLong: image !== undefined };
    } finally {
      await form.remove();
    }
  }

  #imageOf({ input_reference: reference }: VideoCreation, http: FastifyRequest, reply: FastifyReply) {
    return this.references.ofJson(reference, callerOf(http).key, this.room.of(http, reply));
  }
}
