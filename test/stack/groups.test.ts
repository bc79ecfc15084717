import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const folder = path.join(root, 'coverage/groups/rules');
const of = 'test/rules/values';

/** What a script of the groups' module prints, as JSON. */
function answerOf<T>(script: string, env: Record<string, string> = {}): T {
  const whole = `import { groupsOf, suitesOf, ungrouped } from './stack/test-run/groups.mjs';
    const files = groupsOf('rules', ['${of}']);
    console.log(JSON.stringify(${script}));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', whole], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return JSON.parse(printed) as T;
}

describe('short suites share a file (docs/why/tests.md)', () => {
  it('each is in one file, once', () => {
    const suites = readdirSync(path.join(root, of), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.join(of, name));
    const files = answerOf<string[]>('files');
    expect(files.length).toBeLessThan(suites.length / 2);
    expect(files.some((file) => file.startsWith(folder))).toBe(true);
    expect(answerOf<string[]>('files.flatMap(suitesOf)').sort()).toEqual(suites.sort());
  });

  it('what changes the environment has its file to itself', () => {
    const suite = 'test/api/client/helpers.test.ts';
    expect(readFileSync(path.join(root, suite), 'utf8')).toContain(`process.env['AFFILIATE_`);
    const files = answerOf<string[]>(`groupsOf('rules', ['test/api/client'])`);
    expect(files).toContain(path.join(root, suite));
    expect(files.length).toBeGreaterThan(1);
  });

  it('by night they come in another order, which its seed repeats', () => {
    const inOrder = (seed: string) =>
      answerOf<string[]>('files.flatMap(suitesOf)', { TEST_ORDER_SEED: seed });
    const [byDay, one] = [inOrder(''), inOrder('1')];
    expect(one).not.toEqual(byDay);
    expect(one.toSorted()).toEqual(byDay.toSorted());
    expect(inOrder('1')).toEqual(one);
    expect(inOrder('2')).not.toEqual(one);
  });

  it('a report names suites, and only the one with a failed test has failed', () => {
    const report = `{ testResults: [{
      name: files[0], startTime: 1_000, endTime: 5_000, status: 'failed', message: 'one is red',
      assertionResults: suitesOf(files[0]).flatMap((suite, index) => [{
        ancestorTitles: [suite], title: 'adds up', fullName: suite + ' adds up',
        status: index === 1 ? 'failed' : 'passed', duration: 10 }]) }] }`;
    const { testResults } = answerOf<{ testResults: Record<string, unknown>[] }>(
      `ungrouped(${report})`,
    );
    const statuses = testResults.map(({ status }) => status);
    expect(statuses.length).toBeGreaterThan(3);
    expect(statuses).toEqual(statuses.map((_, index) => (index === 1 ? 'failed' : 'passed')));
    expect(testResults[1]).toMatchObject({ assertionResults: [{ fullName: 'adds up' }] });
    expect(testResults[1]?.['name']).toContain(path.join(root, of));
    expect(testResults.at(-1)?.['endTime']).toBeCloseTo(5_000);
  });
});
