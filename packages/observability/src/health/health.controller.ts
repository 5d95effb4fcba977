import { Controller, Get, Header, Inject, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { HEALTH_PROBE, type HealthProbe, type ReadinessCheck } from './health-probe.js';
import { passes } from './passes.js';

/** `/healthz`: a failure asks for a restart. `/readyz`: a failure stops new requests. `/metrics`: Prometheus text. */
@Controller()
export class HealthController {
  constructor(
    @Inject(HEALTH_PROBE) private readonly probe: HealthProbe,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get('healthz')
  alive(): { status: string } {
    if (!this.probe.isAlive()) throw new ServiceUnavailableException({ status: 'error' });
    return { status: 'ok' };
  }

  @Get('readyz')
  ready() {
    if (this.probe.isDraining()) throw new ServiceUnavailableException({ status: 'draining' });
    return this.health.check(this.probe.checks.map((check) => () => this.#indicate(check)));
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.probe.metrics.registry.metrics();
  }

  async #indicate(check: ReadinessCheck) {
    const indicator = this.indicators.check(check.name);
    return (await passes(check)) ? indicator.up() : indicator.down();
  }
}
