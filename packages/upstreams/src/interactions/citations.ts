import type { Candidate, CitationSource } from './reply.js';

/** How the places of citations are counted. The format counts bytes. */
export type CitationOffsets = 'bytes' | 'utf16';

/** The citations of a text, in the form of interactions. */
export function annotationsOf(candidate: Candidate, text: string, offsets: CitationOffsets): readonly object[] {
  const place = (index: number | undefined): number =>
    offsets === 'bytes' ? (index ?? 0) : Buffer.byteLength(text.slice(0, index ?? 0));
  return sourcesOf(candidate).map(({ uri, title, startIndex, endIndex }) => ({
    type: 'url_citation',
    ...(uri !== undefined && { url: uri }),
    ...(title !== undefined && { title }),
    start_index: place(startIndex),
    end_index: place(endIndex),
  }));
}

function sourcesOf({ citationMetadata, groundingMetadata }: Candidate): readonly CitationSource[] {
  const { groundingChunks = [], groundingSupports = [] } = groundingMetadata ?? {};
  const grounded = groundingSupports.flatMap(({ segment, groundingChunkIndices = [] }) =>
    groundingChunkIndices.flatMap((index) => {
      const web = groundingChunks[index]?.web;
      return web === undefined ? [] : [{ ...web, ...segment }];
    }),
  );
  return [...(citationMetadata?.citationSources ?? []), ...grounded];
}
