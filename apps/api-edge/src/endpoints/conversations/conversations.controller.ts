import { Describe } from '@gateway/api-description';
import {
  type ConversationRecord,
  conversationChange,
  conversationCreation,
  conversationItemsAddition,
  itemListQuery,
  type ResponseItem,
  type ResponseItemList,
} from '@gateway/contracts';
import { checked, checkedQuery, isLongJson, parseJsonBody } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRoom } from '../../edge-request.js';
import { callerOf } from '../../http/request-context.js';
import { ConversationStore } from '../../response-state/conversations.service.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { CONVERSATIONS } from '../descriptions/stored-responses.js';
import { LongJson } from '../long-json.service.js';

/** /v1/conversations and their items. Nothing here is charged. */
@Controller('v1/conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly longJson: LongJson,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  @Describe(CONVERSATIONS.create)
  @Post()
  @HttpCode(200)
  async create(@Req() http: FastifyRequest): Promise<ConversationRecord> {
    const { metadata, items } = checked(conversationCreation, http.body == null ? {} : await this.#parse(http.body));
    return this.conversations.create(callerOf(http).key, metadata ?? {}, items ?? []);
  }

  @Describe(CONVERSATIONS.get)
  @Get(':id')
  get(@Req() http: FastifyRequest, @Param('id') id: string): Promise<ConversationRecord> {
    return this.conversations.get(callerOf(http).key, id);
  }

  @Describe(CONVERSATIONS.change)
  @Post(':id')
  @HttpCode(200)
  async change(@Req() http: FastifyRequest, @Param('id') id: string): Promise<ConversationRecord> {
    const { metadata } = checked(conversationChange, await this.#parse(http.body));
    return this.conversations.change(callerOf(http).key, id, metadata);
  }

  @Describe(CONVERSATIONS.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.conversations.delete(callerOf(http).key, id);
    return { id, object: 'conversation.deleted', deleted: true };
  }

  @Describe(CONVERSATIONS.addItems)
  @Post(':id/items')
  @HttpCode(200)
  async addItems(@Req() http: FastifyRequest, @Param('id') id: string): Promise<ResponseItemList> {
    const { items } = checked(conversationItemsAddition, await this.#parse(http.body));
    return this.conversations.addItems(callerOf(http).key, id, items);
  }

  @Describe(CONVERSATIONS.listItems)
  @Get(':id/items')
  listItems(
    @Req() http: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<ResponseItemList> {
    const { key } = callerOf(http);
    return this.conversations.listItems(key, id, checkedQuery(itemListQuery, query), this.room.of(http, reply));
  }

  @Describe(CONVERSATIONS.getItem)
  @Get(':id/items/:itemId')
  getItem(
    @Req() http: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Param('itemId') itemId: string,
  ): Promise<ResponseItem> {
    return this.conversations.getItem(callerOf(http).key, id, itemId, this.room.of(http, reply));
  }

  @Describe(CONVERSATIONS.deleteItem)
  @Delete(':id/items/:itemId')
  deleteItem(
    @Req() http: FastifyRequest,
    @Param('id') id: string,
    @Param('itemId') itemId: string,
  ): Promise<ConversationRecord> {
    return this.conversations.deleteItem(callerOf(http).key, id, itemId);
  }

  async #parse(body: unknown): Promise<Record<string, unknown>> {
    return (isLongJson(body) ? await this.longJson.parse(body) : parseJsonBody(body)).fields;
  }
}
