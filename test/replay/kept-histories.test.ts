import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releases, versionUnderWay } from '../support/stack/releases';
import { historiesDir } from '../support/workers/histories';
import { hashOf, historyProblems, keepHistory, listName } from '../support/workers/kept-histories';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'histories-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/**
 * Running workflows have these histories. One that no longer replays needs `patched(...)` in its
 * workflow, and its new way a history of the release that is under way.
 */
describe('the stored histories', () => {
  it.each(releases)('of $version are those that it came out with', (release) => {
    expect(historyProblems(join(historiesDir, release.version), release)).toEqual([]);
  });

  it('lie under their release, the last under the one that is under way', () => {
    const out = releases.map(({ version }) => version);
    expect(out).not.toContain(versionUnderWay);
    const strangers = readdirSync(historiesDir).filter((name) => !out.includes(name));
    expect([[], [versionUnderWay]]).toContainEqual(strangers);
  });
});

it('a history of the release that is under way is recorded afresh', () => {
  keepHistory(dir, 'sweep', 'at first');
  keepHistory(dir, 'sweep', 'afresh');
  expect(readFileSync(join(dir, 'sweep.json'), 'utf8')).toBe('afresh');
});

describe('of a release that is out', () => {
  let histories: string;
  beforeEach(() => {
    keepHistory(dir, 'sweep', 'one');
    keepHistory(dir, 'retention', 'two');
    const list = `${hashOf('two')}  retention.json\n${hashOf('one')}  sweep.json\n`;
    writeFileSync(join(dir, listName), list);
    histories = hashOf(list);
  });
  const problems = () => historyProblems(dir, { histories });

  it('all is well while nothing changes', () => {
    expect(problems()).toEqual([]);
  });

  it('none is written again, and none is added', () => {
    expect(() => keepHistory(dir, 'sweep', 'another')).toThrow('raise the version');
    expect(() => keepHistory(dir, 'partitions', 'three')).toThrow('raise the version');
    expect(problems()).toEqual([]);
  });

  it('a changed one is found out', () => {
    writeFileSync(join(dir, 'sweep.json'), 'another');
    expect(problems()).toEqual(['sweep.json was changed']);
  });

  it('a changed one is found out whose line was changed with it', () => {
    writeFileSync(join(dir, 'sweep.json'), 'another');
    writeFileSync(
      join(dir, listName),
      `${hashOf('two')}  retention.json\n${hashOf('another')}  sweep.json\n`,
    );
    expect(problems()).toEqual([`${listName} was changed`]);
  });

  it('a missing one is found out', () => {
    rmSync(join(dir, 'sweep.json'));
    expect(problems()).toEqual(['sweep.json is missing']);
  });

  it('one that was stored past the list is found out', () => {
    writeFileSync(join(dir, 'partitions.json'), 'three');
    expect(problems()).toEqual(['partitions.json is not listed']);
  });
});
