export type Chunk = Uint8Array<ArrayBuffer> | string;

/** No event is as long. */
const mostBytes = 1_048_576;

/** All of a body. RangeError as soon as it is, or says that it is, longer than 1 MiB. */
export async function readWhole(
  chunks: AsyncIterable<Chunk>,
  length: string | string[] | null | undefined,
): Promise<Uint8Array> {
  if (Number(length ?? 0) > mostBytes) throw tooLong();
  const parts: Chunk[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLong();
    parts.push(chunk);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The same of a body that has a reader, as of a standard Request. */
export async function* chunksOf(body: ReadableStream<Chunk> | null): AsyncGenerator<Chunk, void> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    await reader?.cancel();
  }
}

const tooLong = () => new RangeError('The body is longer than 1 MiB.');
