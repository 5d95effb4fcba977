import { Describe } from '@gateway/api-description';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions } from '../sessions/sessions.service.js';
import { PEOPLE } from './people.description.js';

/** Ends the session of the request, if there is one. */
@Controller('account')
export class LogoutController {
  constructor(private readonly sessions: Sessions) {}

  @Describe(PEOPLE.logout)
  @Post('logout')
  @HttpCode(200)
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.sessions.close(request, reply);
    return { logged_out: true };
  }
}
