import { Controller, Get } from '@nestjs/common';

@Controller('healthz')
export class HealthController {
  /** It depends on nothing, so to answer is to be well. */
  @Get()
  check(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
