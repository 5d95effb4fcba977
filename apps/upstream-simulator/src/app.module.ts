import { Module } from '@nestjs/common';
import { FaultsController } from './control/faults.controller.js';
import { HealthController } from './control/health.controller.js';
import { JournalController } from './control/journal.controller.js';
import { VendorFaults } from './faults/vendor-faults.js';
import { Journal } from './journal/journal.js';
import { ReceivedRequests } from './journal/received-requests.js';

@Module({
  controllers: [FaultsController, JournalController, HealthController],
  providers: [VendorFaults, { provide: Journal, useFactory: () => new Journal() }, ReceivedRequests],
})
export class AppModule {}
