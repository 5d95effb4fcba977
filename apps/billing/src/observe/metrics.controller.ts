import { Controller, Get, Header, Inject } from '@nestjs/common';
import { type BillingMetrics, METRICS } from './billing-metrics.js';

@Controller()
export class MetricsController {
  constructor(@Inject(METRICS) private readonly metrics: BillingMetrics) {}

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  show(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
