import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HEALTH_PROBE, type HealthProbe } from './health-probe.js';

@Module({})
export class HealthModule {
  static with(probe: HealthProbe): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [{ provide: HEALTH_PROBE, useValue: probe }],
    };
  }
}
