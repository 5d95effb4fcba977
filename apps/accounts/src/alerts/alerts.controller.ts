import { Describe } from '@gateway/api-description';
import { runbook } from '@gateway/api-reference';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import type { HttpPools } from '@gateway/http';
import { parse } from '@gateway/json-service';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { ACCOUNTS_CONFIG, HTTP_POOLS } from '../tokens.js';
import { ALERTS, type AlertList, type AlertView, runbookPath } from './alerts.description.js';
import { askPrometheus } from './ask-prometheus.js';
import { type Facts, OWN_CHECKS } from './own-checks.js';
import { ReadFacts } from './read-facts.service.js';

/** `VendorUnhealthy` → `vendor-unhealthy`, the name of its runbook. */
const fileOf = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const firing = (facts: Facts): readonly AlertView[] =>
  Object.entries(OWN_CHECKS).flatMap(([name, { severity, find }]) =>
    find(facts).map(({ summary, labels = {} }) => ({
      name,
      severity,
      state: 'firing' as const,
      summary,
      since: null,
      labels,
      runbook: fileOf(name),
    })),
  );

/** What an operator should act on now, with the runbook of each. */
@Controller('admin')
export class AlertsController {
  constructor(
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'prometheusUrl'>,
    @Inject(HTTP_POOLS) private readonly pools: HttpPools,
    private readonly facts: ReadFacts,
  ) {}

  @Describe(ALERTS.list)
  @AllowAdmin()
  @Followable()
  @Get('alerts')
  async list(): Promise<AlertList> {
    const now = new Date();
    const { prometheusUrl } = this.config;
    const reported =
      prometheusUrl === undefined ? 'PROMETHEUS_URL is not set.' : await askPrometheus(this.pools, prometheusUrl);
    const isOwn = typeof reported === 'string';
    return {
      source: isOwn ? 'own' : 'prometheus',
      checked_at: now.toISOString(),
      problem: isOwn ? reported : null,
      data: isOwn ? firing(await this.facts.read(now)) : reported,
      next_cursor: null,
    };
  }

  @Describe(ALERTS.runbook)
  @AllowAdmin()
  @Get('runbooks/:name')
  runbook(@Param() path: unknown) {
    const { name } = parse(runbookPath, path);
    const markdown = runbook(name);
    if (markdown === null) throw new GatewayError('not_found', 'There is no such runbook.');
    return { name, markdown };
  }
}
