import { BadRequestException, Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { type SimulatedFault, VendorFaults } from '../faults/vendor-faults.js';
import { VENDORS } from '../vendors/index.js';

const PROTOCOLS = [...new Set(VENDORS.flatMap(({ routes }) => routes.map(({ protocol }) => protocol)))];

const faultSchema = z.strictObject({
  vendor: z.enum(VENDORS.map((emulator) => emulator.vendor)),
  protocol: z.enum(PROTOCOLS).optional(),
  status: z.int().min(400).max(599).optional(),
  delay_ms: z.int().min(0).optional(),
  drop: z.boolean().optional(),
  rate: z.number().gt(0).max(1).default(1),
  for_ms: z.int().min(1).optional(),
});

const parseFault = (body: unknown): SimulatedFault => {
  try {
    return faultSchema.parse(JSON.parse(String(body)));
  } catch (error) {
    throw new BadRequestException(error instanceof Error ? error.message : String(error));
  }
};

@Controller('__faults')
export class FaultsController {
  constructor(private readonly faults: VendorFaults) {}

  @Get()
  list(): { faults: SimulatedFault[] } {
    return { faults: this.faults.list() };
  }

  @Post()
  @HttpCode(200)
  set(@Body() body: unknown): { faults: SimulatedFault[] } {
    this.faults.set(parseFault(body));
    return this.list();
  }

  @Delete()
  clear(@Query('vendor') vendor?: string): { faults: SimulatedFault[] } {
    this.faults.clear(vendor);
    return this.list();
  }
}
