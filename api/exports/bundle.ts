import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { sendStream } from '../http/server/readers';
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
  const iterator = rows[Symbol.asyncIterator]() as AsyncIterator<Row>;
  const cursor: Cursor = { rows: iterator, next: await iterator.next() };
  for (const [index, head] of heads.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(head.members).slice(0, -1)}`;
    for (const section of sections.keys()) yield* writeList(cursor, head, section);
    yield '}';
  }
}

async function* writeList(cursor: Cursor, head: Head, section: number): AsyncGenerator<string> {
  yield `,"${sections[section] ?? ''}":[`;
  await skipBefore(cursor, head);
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

/** Rows of a participation that was erased after the heads were read, or before. */
async function skipBefore(cursor: Cursor, { participantId }: Head): Promise<void> {
  while (!cursor.next.done && cursor.next.value[1] < participantId) {
    cursor.next = await cursor.rows.next();
  }
}

export interface JsonFile {
  name: string;
  parts: AsyncGenerator<string>;
  /** The rows from which the parts are written. */
  rows: Readable;
}

/** Answers with JSON as it is written; ends with the client. */
export function sendJson(ctx: Context, { name, parts, rows }: JsonFile, maxMs?: number): void {
  const body = Readable.from(parts, { objectMode: false });
  ctx.status = 200;
  ctx.type = 'application/json';
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
  sendStream(ctx, { body, rows }, maxMs);
}
