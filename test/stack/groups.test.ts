import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const folder = path.join(root, 'coverage/groups/rules');
const of = 'test/rules/values';

/** What a script of the groups' module prints, as JSON. */
function answerOf<T>(script: string): T {
  const whole = `import { groupsOf, suitesOf, ungrouped } from './stack/test-run/groups.mjs';
    const files = groupsOf('rules', ['${of}']);
    console.log(JSON.stringify(${script}));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', whole], {
    cwd: root,
    encoding: 'utf8',
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
