import { having } from '@gateway/catalogue';
import { parseJsonBody, validateSpeech, worstCaseOfSpeech } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { callerOf, requestIdOf, setDialect } from '../../request-context.js';
import { RunRequest } from '../../run-request.service.js';

const ENDPOINT = 'audio.speech';

/** POST /v1/audio/speech: the answer is the sound itself, sent as it is made. */
@Controller('v1/audio/speech')
export class AudioSpeechController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runRequest: RunRequest,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(http);
    const body = parseJsonBody(http.body);
    const model = having(this.models.resolve(body.model, ENDPOINT, caller.key), 'speech');
    setDialect(http, model.dialect);
    const request = validateSpeech(body, model);
    await this.runRequest.run(
      {
        requestId: requestIdOf(http),
        caller,
        endpoint: ENDPOINT,
        model,
        worstCase: worstCaseOfSpeech(request),
        body: http.body as Buffer,
        isStream: false,
        wantsCostComment: false,
        traceparent: http.headers.traceparent as string | undefined,
      },
      reply,
    );
  }
}
