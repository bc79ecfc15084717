import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const TIME_OUT = 'Error: thrown: "Exceeded timeout of 60000 ms for a test.';
const IN_VAIN = 'WaitedInVain: nothing came of it in time\n    at eventually';
const WRONG = 'Error: expect(received).toHaveLength(expected)\n\nExceeded timeout of 60000 ms';

const script = `
  import { suitesToRepeat } from './stack/test-run/repeat.mjs';
  console.log(JSON.stringify(suitesToRepeat(JSON.parse(process.argv[1]))));
`;

/** The suites that would be repeated, of suites whose tests failed with these messages. */
function repeatedOf(suites: Record<string, string[]>, message = ''): string[] {
  const testResults = Object.entries(suites).map(([name, messages]) => ({
    name: path.join(root, name),
    status: 'failed',
    message,
    assertionResults: [
      { status: 'passed', fullName: 'is fine', failureMessages: [] },
      ...messages.map((message) => ({
        status: 'failed',
        fullName: 'is not',
        failureMessages: [message],
      })),
    ],
  }));
  const answer = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify({ testResults })],
    { cwd: root, encoding: 'utf8' },
  );
  return (JSON.parse(answer) as { path: string }[]).map((suite) => suite.path);
}

describe('a suite is repeated', () => {
  it('when all that failed in it ran out of time', () => {
    expect(
      repeatedOf({ 'test/a.test.ts': [TIME_OUT, IN_VAIN], 'test/b.test.ts': [IN_VAIN] }),
    ).toEqual(['test/a.test.ts', 'test/b.test.ts']);
  });

  it('never after a wrong value, of its own or of another suite', () => {
    expect(repeatedOf({ 'test/a.test.ts': [TIME_OUT, WRONG] })).toEqual([]);
    expect(repeatedOf({ 'test/a.test.ts': [TIME_OUT], 'test/b.test.ts': [WRONG] })).toEqual([]);
  });

  it('never when it broke as a whole, and names no test', () => {
    expect(repeatedOf({ 'test/a.test.ts': [] })).toEqual([]);
  });

  it('never when something failed after its tests', () => {
    const afterAll = '  ● Test suite failed to run\n\n    expect(received).toEqual(expected)';
    expect(repeatedOf({ 'test/a.test.ts': [TIME_OUT] }, afterAll)).toEqual([]);
  });

  it('never beside more than two others: so many are no accident', () => {
    const four = ['a', 'b', 'c', 'd'].map((name) => [`test/${name}.test.ts`, [TIME_OUT]]);
    expect(repeatedOf(Object.fromEntries(four) as Record<string, string[]>)).toEqual([]);
  });
});
