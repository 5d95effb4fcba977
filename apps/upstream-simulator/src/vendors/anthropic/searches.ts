import { newId } from '../vendor-ids.js';

/** The blocks of searches that the vendor made by itself: each a call of its own tool and what it found. */
export const searchBlocks = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `srvtoolu_01${newId(22)}`;
    const found = {
      type: 'web_search_result',
      title: `Result ${at + 1}`,
      url: `https://example.com/${at + 1}`,
      encrypted_content: Buffer.from(`result ${at + 1}`).toString('base64'),
      page_age: null,
    };
    return [
      { type: 'server_tool_use', id, name: 'web_search', input: { query: `query ${at + 1}` } },
      { type: 'web_search_tool_result', tool_use_id: id, content: [found] },
    ];
  }).flat();
