import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { z } from 'zod';
import { credentialLabel } from '../journal/journal.js';
import type { AnyTaskStore } from '../tasks/task-store.js';
import { TaskStores } from '../tasks/task-stores.js';
import type { VideoTask } from '../tasks/video-task.js';
import { type TaskLine, taskLine } from './task-line.js';

const MAX_WAIT_MS = 10_000;

const taskCommandSchema = z.union([
  z.strictObject({
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
    code: z.string().optional(),
  }),
  z.strictObject({ forget: z.literal(true) }),
]);

const parseCommand = (body: unknown): z.infer<typeof taskCommandSchema> => {
  try {
    return taskCommandSchema.parse(JSON.parse(String(body)));
  } catch (error) {
    throw new BadRequestException(error instanceof Error ? error.message : String(error));
  }
};

type Found = Readonly<{ vendor: string; store: AnyTaskStore; task: VideoTask }>;

/** Shows and changes all tasks. */
@Controller('__tasks')
export class TasksController {
  constructor(private readonly stores: TaskStores) {}

  @Get()
  async list(@Query('wait_ended') waitEnded?: string): Promise<{ tasks: TaskLine[]; queries: object[] }> {
    if (waitEnded === 'true' || waitEnded === '1') await this.stores.untilEnded(MAX_WAIT_MS);
    return {
      tasks: this.stores.byVendor.flatMap(([vendor, store]) =>
        store.all().map((task) => taskLine(vendor, store, task)),
      ),
      queries: this.stores.byVendor.flatMap(([vendor, store]) =>
        store.queries
          .counts()
          .map(({ credential, ...counts }) => ({ vendor, credential: credentialLabel(credential), ...counts })),
      ),
    };
  }

  @Get(':id')
  read(@Param('id') id: string): TaskLine {
    const { vendor, store, task } = this.#find(id);
    return taskLine(vendor, store, task);
  }

  /** Ends all tasks with a scheduled end now. */
  @Post('finish')
  @HttpCode(200)
  finish(): { finished: number } {
    const open = this.stores.byVendor.flatMap(([, store]) =>
      store
        .all()
        .filter((task) => task.isOpen && task.endsAtMs < Infinity)
        .map((task) => ({ store, task })),
    );
    for (const { store, task } of open) store.change(task.id, () => task.finishNow());
    return { finished: open.length };
  }

  @Post(':id')
  @HttpCode(200)
  move(@Param('id') id: string, @Body() body: unknown): TaskLine {
    const { vendor, store, task } = this.#find(id);
    const command = parseCommand(body);
    if ('state' in command && !task.isOpen) throw new ConflictException(`the task is ${task.state} already`);
    store.change(id, () => ('state' in command ? task.move(command.state, command.code) : task.forget()));
    return taskLine(vendor, store, task);
  }

  #find(id: string): Found {
    for (const [vendor, store] of this.stores.byVendor) {
      const task = store.get(id);
      if (task !== undefined) return { vendor, store, task };
    }
    throw new NotFoundException(`no vendor has a task ${id}`);
  }
}
