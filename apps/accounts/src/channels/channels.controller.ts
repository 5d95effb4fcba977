import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, listChannelControls } from '@gateway/postgres';
import { ChannelBoard } from '@gateway/redis';
import { Body, Controller, Get, Inject, Param, Patch } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { CallerAdministrator } from '../guards/caller.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { DATABASE } from '../tokens.js';
import { ChannelControls } from './channel-control.service.js';
import { channelsById, channelView } from './channel-view.js';
import { CHANNELS, channelChange } from './channels.description.js';

/** The vendors' credentials that workers call with, as all processes see them. They are never shown themselves. */
@Controller('admin/channels')
export class ChannelsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly board: ChannelBoard,
    private readonly controls: ChannelControls,
  ) {}

  @Describe(CHANNELS.list)
  @AllowAdmin()
  @Followable()
  @Get()
  async list() {
    return { data: await this.#views(), next_cursor: null };
  }

  @Describe(CHANNELS.show)
  @AllowAdmin()
  @Get(':id')
  show(@Param('id') id: string) {
    return this.#view(id);
  }

  /** Pauses, drains or weighs a channel. Workers follow within a second; running calls end normally. */
  @Describe(CHANNELS.change)
  @AllowAdmin()
  @Patch(':id')
  async change(@Param('id') id: string, @Body() body: unknown, @CallerAdministrator() changedBy: string) {
    const given = parse(channelChange, body);
    await this.#view(id);
    await this.controls.change({ channelId: id, changedBy, ...given });
    return this.#view(id);
  }

  /** Throws `not_found` for a channel that no process reports and no administrator has set. */
  async #view(id: string) {
    const view = (await this.#views()).find((one) => one.id === id);
    if (view === undefined) throw new GatewayError('not_found', 'No worker process has a channel of this id.');
    return view;
  }

  async #views() {
    const [processes, controls] = await Promise.all([this.board.processes(), listChannelControls(this.database)]);
    const reported = channelsById(processes);
    const controlOf = new Map(controls.map((control) => [control.channelId, control]));
    const ids = [...new Set([...reported.keys(), ...controlOf.keys()])].sort();
    return ids.map((id) => channelView(id, reported.get(id) ?? [], controlOf.get(id)));
  }
}
