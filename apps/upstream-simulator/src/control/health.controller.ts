import { Controller, Get } from '@nestjs/common';

@Controller()
export class HealthController {
  /** It depends on nothing, so to answer is to be well and ready. */
  @Get(['healthz', 'readyz'])
  check(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
