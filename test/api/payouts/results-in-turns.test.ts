import { judgeInSteps } from '../../../entities/rules/payouts/judge-results';
import type { ResultItem } from '../../../entities/rules/payouts/judged-results';
import { readResults } from '../../../api/payouts/read-results';
import { inSlices } from '../../../runtime/load/in-slices';
import { inPieces, longestStretchOf } from '../../support/run/longest-stretch';

const maxBytes = 2 * 1024 * 1024;
const header = 'itemReference,status,transactionId,reason\n';
/** In pieces of some ten milliseconds: a request beside it waits this long once, or twice. */
const bound = 2;

const reference = (n: number): string => `po${String(n).padStart(20, '0')}`;
const items = Array.from({ length: 10_000 }, (_, n): ResultItem => ({
  id: String(n),
  reference: reference(n),
  email: `p${n}@example.com`,
  currency: 'usd',
  amountCents: 1_000,
  status: 'ready',
  transactionId: null,
  reports: [],
}));

function file(row: (n: number) => string, rows = 50_000): Buffer {
  let text = header;
  for (let n = 0; n < rows; n += 1) text += row(n);
  return Buffer.from(text.slice(0, maxBytes));
}

const paypal = 'Type,Status,Transaction ID,To Email Address,Currency,Gross\n';
const files: Record<string, Buffer> = {
  'rows of every item': file((n) => `${reference(n % 10_000)},paid,T${n % 10_000}\n`),
  'rows of one item': file((n) => `${reference(1)},${n % 2 ? 'paid' : 'returned'},T${n}\n`),
  'rows of nobody': file((n) => `x${n},y\n`),
  'empty lines': file(() => '\n', maxBytes),
  'one cell of two MiB': file(() => `x`, maxBytes),
  'one cell of quotes': Buffer.from(`${header}"${'""'.repeat(maxBytes / 2 - 50)}",paid\n`),
  'one cell of lines': Buffer.from(`${header}"${'\n'.repeat(maxBytes - 100)}",paid\n`),
  'no header': Buffer.from('x'.repeat(maxBytes)),
  'rows found by address, currency and sum': Buffer.from(
    paypal +
      Array.from(
        { length: 40_000 },
        (_, n) => `Mass Pay,Completed,T${n},p${n % 10_000}@example.com,USD,-10\n`,
      ).join(''),
  ).subarray(0, maxBytes),
};

async function judge(bytes: Buffer): Promise<void> {
  const rows = await readResults(bytes).catch(() => []);
  await inSlices(judgeInSteps(items, rows));
}

/** The least of three: what the code itself holds on to comes back, a collection of garbage does not. */
async function longestOfJudging(bytes: Buffer): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    all.push((await longestStretchOf(() => judge(bytes))).longestMs);
  }
  return Math.min(...all);
}

// The first time through, code is not compiled yet.
beforeAll(() => judge(file((n) => `${reference(n)},paid,T${n}\n`, 2_000)));

describe('a report of 2 MiB lets others have their turn (payouts.md, Results)', () => {
  it.each(Object.entries(files))('%s is judged in short turns', async (_what, bytes) => {
    expect(inPieces(await longestOfJudging(bytes))).toBeLessThan(bound);
  });
});
