import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** What a module of stack/test-run answers; its sources are not compiled for tests. */
function ask<T>(code: string): T {
  const whole = `import { parts, partOfTurn, partsNamed } from './stack/test-run/nightly-parts.mjs';
  import { freshness, recordGreen } from './stack/test-run/nightly-record.mjs';
  import { closingLine } from './stack/test-run/jest.mjs';
  import { recordUnsteady, storedUnsteady, unsteadyAgain } from './stack/test-run/unsteady-record.mjs';
  console.log(JSON.stringify(await (${code})));`;
  const args = ['--input-type=module', '-e', whole];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as T;
}

interface Part {
  suites?: string[];
  daily?: string[];
  script?: string[];
}

describe('the parts of the night', () => {
  const parts = ask<Record<string, Part>>('parts');
  const suites = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.nightly.ts'))
    .map((name) => `test/${name}`);

  it('have each suite of the night once, and no place where none is', () => {
    const places = Object.values(parts).flatMap(({ suites: own = [] }) => own);
    const times = suites.map((suite) => places.filter((place) => suite.startsWith(place)).length);
    expect(suites.filter((_, index) => times[index] !== 1)).toEqual([]);
    expect(places.filter((place) => !suites.some((suite) => suite.startsWith(place)))).toEqual([]);
  });

  it('are named alone, or several by what they have in common', () => {
    expect(ask('partsNamed("fleet")')).toEqual(['fleet']);
    expect(ask('partsNamed("pooler")')).toEqual(['pooler-1', 'pooler-2', 'pooler-3']);
    const sentence = ask<string>(
      'Promise.resolve().then(() => partsNamed("clients")).catch(({ message }) => message)',
    );
    expect(sentence).toMatch(/^clients is none of pooler-1, /);
  });

  it('take turns by the number of commits', () => {
    const names = Object.keys(parts);
    const turns = ask<string[]>(`[...Array(${names.length * 2}).keys()].map(partOfTurn)`);
    expect(turns).toEqual([...names, ...names]);
  });
});

describe('the record', () => {
  it('is a line a part, of its commit and day, and keeps the others', () => {
    const file = path.join(
      mkdtempSync(path.join(os.tmpdir(), 'affiliate-nightly-')),
      'nightly.json',
    );
    const write = (part: string) =>
      ask(
        `recordGreen('${part}', { file: '${file}', now: new Date('2026-11-28T01:00:00Z') }).then(() => null)`,
      );
    write('fleet');
    write('data');
    const lines = readFileSync(file, 'utf8').split('\n');
    const head = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root });
    const record = `{"commit":"${head.toString().trim()}","date":"2026-11-28"}`;
    expect(lines).toEqual(['{', `  "data": ${record},`, `  "fleet": ${record}`, '}', '']);
  });

  it('warns of what is older than 150 commits, or was never green', () => {
    const records = `{ a: { commit: 'one', date: '2026-11-01' }, b: { commit: 'two', date: '2026-11-02' } }`;
    const since = `(commit) => Promise.resolve({ one: 150, two: 151 }[commit])`;
    const lines = ask<string[]>(`freshness(['a', 'b', 'c'], ${records}, ${since})`);
    expect(lines.slice(1)).toEqual([
      '  a                   2026-11-01  one           150 commits ago',
      '  b                   2026-11-02  two           151 commits ago',
      '  c                   never',
      'Warning: older than 150 commits: b, c',
    ]);
  });

  it('names only parts that there are', () => {
    const names = Object.keys(
      JSON.parse(readFileSync(path.join(root, 'test/nightly.json'), 'utf8')) as object,
    );
    expect(names.filter((name) => !(name in ask<object>('parts')))).toEqual([]);
  });
});

describe('what was unsteady', () => {
  it('is written down with the work, a line a test, the last hundred', () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'affiliate-unsteady-')), 'u.json');
    const write = (failures: string[]) =>
      ask(
        `recordUnsteady([{ path: 'test/a.test.ts', failures: ${JSON.stringify(failures)} }],
           { file: '${file}', now: new Date('2026-11-28T01:00:00Z') }).then(() => null)`,
      );
    write(['waits']);
    write(Array.from({ length: 99 }, (_, n) => `is ${n}`));
    write(['is late']);
    const lines = readFileSync(file, 'utf8').split('\n');
    const head = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root });
    const record = { date: '2026-11-28', commit: head.toString().trim(), suite: 'test/a.test.ts' };
    expect(lines.at(1)).toBe(`  ${JSON.stringify({ ...record, test: 'is 0' })},`);
    expect(lines.at(-3)).toBe(`  ${JSON.stringify({ ...record, test: 'is late' })}`);
    expect(ask<object[]>(`storedUnsteady('${file}')`)).toHaveLength(100);
  });

  it('and was so before, within 150 commits, is named each time', () => {
    const entry = (test: string, commit: string) => ({ suite: 'test/a.test.ts', test, commit });
    const entries = [
      ...[entry('waits', 'old'), entry('waits', 'one'), entry('is late', 'old')],
      ...[entry('is late', 'one'), entry('is late', 'two'), entry('is gone', 'lost')],
    ];
    const since = `(commit) => Promise.resolve({ old: 151, one: 150, two: 0 }[commit])`;
    expect(ask(`unsteadyAgain(${JSON.stringify(entries)}, ${since})`)).toEqual([
      'Warning: unsteady more than once within 150 commits (test/unsteady.json):',
      '  2 times test/a.test.ts: is late',
    ]);
    expect(ask('unsteadyAgain([])')).toEqual([]);
  });
});

it('ends with one line of numbers', () => {
  const line = (counts: string) => ask<string>(`closingLine(${counts})`);
  expect(line('{ passed: 3, failed: 0, skipped: 0, unsteady: 0 }')).toBe('3 passed, 0 failed');
  expect(line('{ passed: 3, failed: 1, skipped: 2, unsteady: 1 }')).toBe(
    '3 passed, 1 failed, 2 skipped, 1 unsteady',
  );
});
