import { createMetrics, HealthModule } from '@gateway/observability';
import { Module } from '@nestjs/common';
import { FaultsController } from './control/faults.controller.js';
import { JournalController } from './control/journal.controller.js';
import { ResultsController } from './control/results.controller.js';
import { TasksController } from './control/tasks.controller.js';
import { VendorFaults } from './faults/vendor-faults.js';
import { Journal } from './journal/journal.js';
import { ReceivedRequests } from './journal/received-requests.js';
import { ResultStore } from './results/result-store.js';
import { TaskStores } from './tasks/task-stores.js';

/** No dependencies: it is ready when it responds. */
const health = HealthModule.with({
  isAlive: () => true,
  isDraining: () => false,
  checks: [],
  metrics: createMetrics('upstream-simulator'),
});

@Module({
  imports: [health],
  controllers: [FaultsController, JournalController, ResultsController, TasksController],
  providers: [
    VendorFaults,
    { provide: Journal, useFactory: () => new Journal() },
    ReceivedRequests,
    ResultStore,
    TaskStores,
  ],
})
export class AppModule {}
