import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HEALTH_PROBE, type HealthProbe } from './health-probe.js';
import { readinessGauge } from './readiness-gauge.js';

@Module({})
export class HealthModule {
  static with(probe: HealthProbe): DynamicModule {
    readinessGauge(probe.metrics, probe.checks);
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: HEALTH_PROBE, useValue: probe }],
    };
  }
}
