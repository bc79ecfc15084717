import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historiesDir } from '../support/workers/histories';
import { historyProblems, keepHistory, listName } from '../support/workers/kept-histories';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'histories-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const read = (name: string) => readFileSync(join(dir, name), 'utf8');

/**
 * Running workflows have these histories. One that no longer replays needs `patched(...)` in its
 * workflow and a new history under a new name: never a new file under the old one.
 */
it('the stored histories are those that were once stored', () => {
  expect(historyProblems(historiesDir)).toEqual([]);
});

it('a stored history is never written again', () => {
  expect(keepHistory(dir, 'sweep', 'of the first version')).toBe('kept');
  const listed = read(listName);
  expect(keepHistory(dir, 'sweep', 'of the second version')).toBe('taken');
  expect(read('sweep.json')).toBe('of the first version');
  expect(read(listName)).toBe(listed);
  expect(historyProblems(dir)).toEqual([]);
});

it('a new one adds its line and leaves the others', () => {
  keepHistory(dir, 'sweep', 'one');
  const listed = read(listName);
  expect(keepHistory(dir, 'sweep.2', 'two')).toBe('kept');
  expect(read(listName).startsWith(listed)).toBe(true);
  expect(historyProblems(dir)).toEqual([]);
});

describe('is found out', () => {
  beforeEach(() => {
    keepHistory(dir, 'sweep', 'one');
    keepHistory(dir, 'retention', 'two');
  });

  it('what was changed', () => {
    writeFileSync(join(dir, 'sweep.json'), 'another');
    expect(historyProblems(dir)).toEqual(['sweep.json was changed']);
  });

  it('what is missing', () => {
    rmSync(join(dir, 'sweep.json'));
    expect(historyProblems(dir)).toEqual(['sweep.json is missing']);
  });

  it('what was stored past the list', () => {
    writeFileSync(join(dir, 'partitions.json'), 'three');
    expect(historyProblems(dir)).toEqual(['partitions.json is not listed']);
  });

  it('what is listed a second time', () => {
    rmSync(join(dir, 'retention.json'));
    keepHistory(dir, 'retention', 'two');
    expect(historyProblems(dir)).toEqual(['retention.json is listed twice']);
  });
});
