import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { sections } from './export.queries';

type Row = [key: string, participantId: string, section: number, json: string];

/** A participation with the lists that its rows go into. */
export interface Head {
  participantId: string;
  /** Members of its object, before the lists. */
  members: Record<string, unknown>;
}

/** Rows that are read one ahead, because a list ends where the next one begins. */
interface Cursor {
  rows: AsyncIterator<Row>;
  next: IteratorResult<Row>;
}

/** The JSON of participations, each with its lists; the rows come by participant and section. */
export async function* writeParts(heads: readonly Head[], rows: Readable): AsyncGenerator<string> {
  try {
    const iterator = rows[Symbol.asyncIterator]() as AsyncIterator<Row>;
    const cursor: Cursor = { rows: iterator, next: await iterator.next() };
    for (const [index, head] of heads.entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(head.members).slice(0, -1)}`;
      for (const section of sections.keys()) yield* writeList(cursor, head, section);
      yield '}';
    }
  } finally {
    // A reader that leaves early frees the connection.
    rows.destroy();
  }
}

async function* writeList(cursor: Cursor, head: Head, section: number): AsyncGenerator<string> {
  yield `,"${sections[section] ?? ''}":[`;
  let separator = '';
  for (;;) {
    const { next } = cursor;
    const isIn = !next.done && next.value[1] === head.participantId && next.value[2] === section;
    if (!isIn) break;
    yield separator + next.value[3];
    separator = ',';
    cursor.next = await cursor.rows.next();
  }
  yield ']';
}

/** Answers with JSON as it is written; a failure in the middle ends the connection. */
export function sendJson(ctx: Context, name: string, parts: AsyncGenerator<string>): void {
  const body = Readable.from(parts, { objectMode: false });
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.res.once('close', () => body.destroy());
  ctx.body = body;
}
