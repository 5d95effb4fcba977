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
import { credentialLabel } from '../journal/credential-label.js';
import type { AnyTaskShelf } from '../tasks/task-shelf.js';
import { TaskShelves } from '../tasks/task-shelves.js';
import type { VideoTask } from '../tasks/video-task.js';
import { type TaskLine, taskLine } from './task-line.js';

const LONGEST_WAIT_MS = 10_000;

const taskOrder = z.union([
  z.strictObject({
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
    /** The vendor's code of a failure. */
    code: z.string().optional(),
  }),
  z.strictObject({ forget: z.literal(true) }),
]);

const parseOrder = (body: unknown): z.infer<typeof taskOrder> => {
  try {
    return taskOrder.parse(JSON.parse(String(body)));
  } catch (error) {
    throw new BadRequestException(error instanceof Error ? error.message : String(error));
  }
};

interface Found {
  readonly vendor: string;
  readonly shelf: AnyTaskShelf;
  readonly task: VideoTask;
}

/** The truth about all tasks, and the hand that moves their clocks. */
@Controller('__tasks')
export class TasksController {
  constructor(private readonly shelves: TaskShelves) {}

  @Get()
  async list(@Query('wait_ended') waitEnded?: string): Promise<{ tasks: TaskLine[]; queries: object[] }> {
    if (waitEnded === 'true' || waitEnded === '1') {
      await this.shelves.untilEnded(LONGEST_WAIT_MS);
    }
    return {
      tasks: this.shelves.byVendor.flatMap(([vendor, shelf]) =>
        shelf.all().map((task) => taskLine(vendor, shelf, task)),
      ),
      queries: this.shelves.byVendor.flatMap(([vendor, shelf]) =>
        shelf.queries
          .counts()
          .map(({ credential, ...counts }) => ({ vendor, credential: credentialLabel(credential), ...counts })),
      ),
    };
  }

  @Get(':id')
  read(@Param('id') id: string): TaskLine {
    const { vendor, shelf, task } = this.#find(id);
    return taskLine(vendor, shelf, task);
  }

  /** Ends now whatever ends by itself, in the way in which it was to end. */
  @Post('finish')
  @HttpCode(200)
  finish(): { finished: number } {
    const open = this.shelves.byVendor.flatMap(([, shelf]) =>
      shelf
        .all()
        .filter((task) => task.isOpen && task.endsAtMs < Infinity)
        .map((task) => ({ shelf, task })),
    );
    for (const { shelf, task } of open) {
      shelf.change(task.id, () => task.hurry());
    }
    return { finished: open.length };
  }

  @Post(':id')
  @HttpCode(200)
  move(@Param('id') id: string, @Body() body: unknown): TaskLine {
    const { vendor, shelf, task } = this.#find(id);
    const order = parseOrder(body);
    if ('state' in order && !task.isOpen) {
      throw new ConflictException(`the task is ${task.state} already`);
    }
    shelf.change(id, () => ('state' in order ? task.move(order.state, order.code) : task.forget()));
    return taskLine(vendor, shelf, task);
  }

  #find(id: string): Found {
    for (const [vendor, shelf] of this.shelves.byVendor) {
      const task = shelf.get(id);
      if (task !== undefined) {
        return { vendor, shelf, task };
      }
    }
    throw new NotFoundException(`no vendor has a task ${id}`);
  }
}
