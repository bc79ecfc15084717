import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import type { RateLimits } from '../process/config';
import type { Registry } from '../process/metrics';
import { createExportPools, type ExportDatabases } from './export-pools';
import { createExportEntry, type Exporter } from './export-entry';
import { createDutyCycle, runAndRest, type DutyCycle } from '../load/duty-cycle';
import { createFairPlaces, type FairPlaces } from '../load/fair-places';
import { createSpareTurns, type NextTurn } from '../load/spare-turns';

export interface Statement {
  text: string;
  params: unknown[];
}

/** An export, as statements that each give a part of its rows. */
export interface PagedRows {
  /** Bounds the sum of the rows' sizes, which are read before the first of them. */
  size?: SizeBound;
  /**
   * At most `limit` rows that follow the row of this key, null for the first ones. The first column
   * is the key, by which they are sorted.
   */
  page(after: string | null, limit: number): Statement;
  /** The first statement gives all there is: a few rows for each of many. */
  isWhole?: boolean;
  /** Where a page costs as much as all of them, few large ones; else small ones, read in no time. */
  pageSize?: number;
  /** What comes of a row of the statement; done when it is its turn to be written. */
  decode?(row: Row): Row;
}

export interface SizeBound {
  /** Like the page of rows, with the size of a row in the second column. */
  page: PagedRows['page'];
  most: number;
  /** What is thrown beyond that. */
  refusal(): Error;
}

export type ExportConfig = ExportDatabases & { limits: Pick<RateLimits, 'exportsPerAccount'> };

export interface RowStreams {
  /**
   * Rows as arrays, page by page: memory stays the same whatever their number, and nothing is read
   * that the reader does not take. Ends with the stream. RATE_LIMIT_EXCEEDED while the account has
   * as many exports under way as it may, SERVICE_UNAVAILABLE while all of its workspace have.
   * `prepare` is called once the export may begin.
   */
  open(exporter: Exporter, prepare: () => PagedRows | Promise<PagedRows>): Promise<Readable>;
}

const usualPageSize = 500;

/** For so long rows are written, and then others are served. */
const sliceMs = 1;
/** Between two slices, at least, when serving the others took longer. */
const restMs = 2;
/** A ninth of one core at first, and more only for what takes longer than a quarter of a second. */
const rests = { most: 8, longestMs: 2_000 };
/** On a busy machine the time is over before a row is written. */
const fewestInSlice = 100;

/** Connections of exports, apart from those of all other requests. */
const connections = 4;
const placeBounds = {
  places: connections,
  perOwner: 1,
  waitingPerOwner: 50,
  waitingInAll: 500,
  // A file under way behind the largest ones of its workspace must not be cut.
  patienceMs: 60_000,
  retryAfterSeconds: 10,
};

/**
 * Exports read in short statements of their own connections, shared fairly among workspaces: a
 * reader however slow holds neither a connection nor a snapshot, which would keep the database from
 * cleaning up. Reading and writing rest while others need the machine.
 */
export function createRowStreams(config: ExportConfig, metrics?: Registry): RowStreams {
  const poolOf = createExportPools(config, { connections, ...(metrics && { metrics }) });
  const places = createFairPlaces(placeBounds);
  const duty = createDutyCycle(rests);
  const nextTurn = createSpareTurns((tookMs) =>
    Math.max(tookMs > restMs ? restMs : 0, duty.restAfter(sliceMs)),
  );
  const enter = createExportEntry(config.limits.exportsPerAccount);

  return {
    async open(exporter, prepare) {
      const leave = await enter(exporter);
      try {
        const rows = await prepare();
        const read = readerOf({ pool: await poolOf(), places, duty }, exporter);
        if (rows.size) await checkSize(read, rows, rows.size);
        const first = await read(rows.page(null, rows.pageSize ?? usualPageSize));
        const parts = inSlices(pages({ read, rows }, first), { rows, nextTurn });
        const stream = Readable.from(parts, { objectMode: true });
        return stream.once('close', leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

type Row = (string | null)[];
type Read = (statement: Statement) => Promise<Row[]>;

interface Reading {
  pool: Pool;
  places: FairPlaces;
  duty: DutyCycle;
}

function readerOf({ pool, ...bounds }: Reading, { workspaceId, accountId }: Exporter): Read {
  return ({ text, params }) =>
    runAndRest(bounds, workspaceId ?? accountId, async () => {
      const { rows } = await pool.query<Row>({ text, values: params, rowMode: 'array' });
      return rows;
    });
}

/** In pages as well: one statement over all rows would keep a processor for as long as it takes. */
async function checkSize(
  read: Read,
  rows: PagedRows,
  { page, most, refusal }: SizeBound,
): Promise<void> {
  let left = most;
  for await (const sizes of pages({ read, rows: { ...rows, page } })) {
    left -= sizes.reduce((sum, [, size]) => sum + Number(size), 0);
    if (left < 0) throw refusal();
  }
}

/** While the reader takes one page, the next one is read. */
async function* pages(
  { read, rows }: { read: Read; rows: PagedRows },
  first?: Row[],
): AsyncGenerator<Row[]> {
  const { pageSize = usualPageSize, isWhole = false } = rows;
  const readAfter = (page: Row[]): Promise<Row[]> | undefined => {
    const last = page.at(-1)?.[0];
    if (isWhole || page.length < pageSize || typeof last !== 'string') return undefined;
    const next = read(rows.page(last, pageSize));
    // It is awaited below, unless the reader has left by then.
    next.catch(() => undefined);
    return next;
  };
  let page: Row[] | undefined = first ?? (await read(rows.page(null, pageSize)));
  while (page) {
    const next = readAfter(page);
    yield page;
    page = await next;
  }
}

/**
 * The rows of pages. Whoever takes them writes them meanwhile: as long as there is room in the
 * buffers of its reader, which may hold megabytes, all of them would else be written in one go.
 */
async function* inSlices(
  pages: AsyncGenerator<Row[]>,
  { rows: { decode }, nextTurn }: { rows: PagedRows; nextTurn: NextTurn },
): AsyncGenerator<Row> {
  let endsAt = 0;
  let left = 0;
  for await (const page of pages) {
    for (const row of page) {
      if (left <= 0 && performance.now() >= endsAt) {
        await nextTurn();
        endsAt = performance.now() + sliceMs;
        left = fewestInSlice;
      }
      left -= 1;
      yield decode ? decode(row) : row;
    }
  }
}
