import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { sections } from './export.queries';

type Row = [participantId: string, section: number, json: string];

/** A participation with the lists that its rows go into. */
export interface Head {
  participantId: string;
  /** Members of its object, before the lists. */
  members: Record<string, unknown>;
}

/** The JSON of participations, each with its lists; the rows come by participant and section. */
export async function* writeParts(heads: readonly Head[], rows: Readable): AsyncGenerator<string> {
  const iterator = rows[Symbol.asyncIterator]() as AsyncIterator<Row>;
  try {
    let next = await iterator.next();
    for (const [index, head] of heads.entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(head.members).slice(0, -1)}`;
      for (const [section, name] of sections.entries()) {
        yield `,"${name}":[`;
        let separator = '';
        while (!next.done && next.value[0] === head.participantId && next.value[1] === section) {
          yield separator + next.value[2];
          separator = ',';
          next = await iterator.next();
        }
        yield ']';
      }
      yield '}';
    }
  } finally {
    // A reader that leaves early frees the connection.
    rows.destroy();
  }
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
