import { Module } from '@nestjs/common';
import { FaultsController } from './control/faults.controller.js';
import { HealthController } from './control/health.controller.js';
import { JournalController } from './control/journal.controller.js';
import { ResultsController } from './control/results.controller.js';
import { TasksController } from './control/tasks.controller.js';
import { VendorFaults } from './faults/vendor-faults.js';
import { Journal } from './journal/journal.js';
import { ReceivedRequests } from './journal/received-requests.js';
import { ResultShelf } from './results/result-shelf.js';
import { TaskShelves } from './tasks/task-shelves.js';

@Module({
  controllers: [FaultsController, JournalController, HealthController, ResultsController, TasksController],
  providers: [
    VendorFaults,
    { provide: Journal, useFactory: () => new Journal() },
    ReceivedRequests,
    ResultShelf,
    TaskShelves,
  ],
})
export class AppModule {}
