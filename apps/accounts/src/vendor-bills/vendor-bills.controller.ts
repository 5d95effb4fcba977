import { Readable } from 'node:stream';
import { Describe } from '@gateway/api-description';
import { GatewayError, newVendorBillId } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  compareItems,
  type Database,
  findVendorBill,
  listVendorBillLines,
  listVendorBills,
  recordedByDayAndModel,
  type VendorBillRecord,
} from '@gateway/postgres';
import { Body, Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAdmin } from '../guards/access.js';
import { CallerAdministrator } from '../guards/caller.js';
import { decodeCursor, decodePlace, encodeCursor, encodePlace, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { DATABASE } from '../tokens.js';
import { compareBill } from './compare-bill.js';
import { ReadBill } from './read-bill.service.js';
import { billView, comparedBillView, itemView } from './vendor-bill-views.js';
import { billListing, itemListing, newBill, VENDOR_BILLS } from './vendor-bills.description.js';

const unknown = () => new GatewayError('not_found', 'There is no such bill.');

/** Vendors' usage exports beside our receipts. */
@Controller('admin/vendor-bills')
export class VendorBillsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reader: ReadBill,
  ) {}

  /** 201 for a new file, 200 for one that is a bill already. */
  @Describe(VENDOR_BILLS.create)
  @AllowAdmin()
  @Post()
  async create(
    @Query() query: unknown,
    @Body() csv: unknown,
    @CallerAdministrator() createdBy: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { vendor, name } = parse(newBill, query);
    if (!(csv instanceof Readable)) {
      throw new GatewayError('unsupported_media_type', 'The body must be CSV: send content-type text/csv.');
    }
    const { sha256, isNew } = await this.reader.read(csv, { id: newVendorBillId(), vendor, name, createdBy });
    const bill = await findVendorBill(this.database, { vendor, sha256 });
    if (bill === null) throw unknown();
    reply.status(isNew ? 201 : 200);
    return billView(bill);
  }

  @Describe(VENDOR_BILLS.list)
  @AllowAdmin()
  @Followable()
  @Get()
  async list(@Query() query: unknown) {
    const { limit, cursor } = parse(billListing, query);
    const place = decodePlace(cursor, /bill_[a-z2-7]{26}/);
    const before = place === null ? null : { createdAt: new Date(place.atMs), id: place.id };
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => listVendorBills(this.database, { before, limit: count }),
      ({ createdAt, id }) => encodePlace({ atMs: createdAt.getTime(), id }),
    );
    return { data: rows.map(billView), next_cursor };
  }

  @Describe(VENDOR_BILLS.show)
  @AllowAdmin()
  @Get(':id')
  async show(@Param('id') id: string) {
    const bill = await this.#find(id);
    const { firstDay, lastDay } = bill;
    const isEmpty = firstDay === null || lastDay === null;
    const [billed, recorded] = await Promise.all([
      listVendorBillLines(this.database, id),
      isEmpty ? [] : recordedByDayAndModel(this.database, firstDay, lastDay),
    ]);
    return comparedBillView(bill, compareBill(bill.vendor, billed, recorded));
  }

  @Describe(VENDOR_BILLS.items)
  @AllowAdmin()
  @Get(':id/items')
  async items(@Param('id') id: string, @Query() query: unknown) {
    const { state, limit, cursor } = parse(itemListing, query);
    await this.#find(id);
    const afterId = decodeCursor(cursor, /^[^\0]{1,256}$/);
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => compareItems(this.database, id, { state, afterId, limit: count }),
      ({ upstreamId }) => encodeCursor(upstreamId),
    );
    return { data: rows.map(itemView), next_cursor };
  }

  async #find(id: string): Promise<VendorBillRecord> {
    const bill = await findVendorBill(this.database, { id });
    if (bill === null) throw unknown();
    return bill;
  }
}
