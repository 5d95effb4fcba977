import { Module } from '@nestjs/common';
import { FaultsController } from './control/faults.controller.js';
import { HealthController } from './control/health.controller.js';
import { JournalController } from './control/journal.controller.js';
import { ResultsController } from './control/results.controller.js';
import { VendorFaults } from './faults/vendor-faults.js';
import { Journal } from './journal/journal.js';
import { ReceivedRequests } from './journal/received-requests.js';
import { PictureShelf } from './picture/picture-shelf.js';

@Module({
  controllers: [FaultsController, JournalController, HealthController, ResultsController],
  providers: [VendorFaults, { provide: Journal, useFactory: () => new Journal() }, ReceivedRequests, PictureShelf],
})
export class AppModule {}
