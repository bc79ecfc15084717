import fs from 'node:fs';
import { createLogger } from '../../../runtime/observe/logger';
import { inTrailOf } from '../../../runtime/observe/trail';
import { eventually } from '../../support/eventually';

const lines: string[] = [];
beforeAll(() => {
  const write = fs.writeSync.bind(fs) as (...of: unknown[]) => number;
  jest.spyOn(fs, 'writeSync').mockImplementation(((fd: number, text: string) => {
    if (fd !== 1) return write(fd, text);
    lines.push(String(text));
    return Buffer.byteLength(String(text));
  }) as typeof fs.writeSync);
});
afterAll(() => jest.restoreAllMocks());

const parseError = (): unknown => {
  try {
    return JSON.parse('jane@example.com');
  } catch (error) {
    return error;
  }
};
const driverError = (code: string, message: string): unknown =>
  Object.assign(new Error(message), {
    code,
    detail: 'jane@example.com',
    parameters: ['jane@example.com'],
  });

it.each([
  ['a parser', parseError()],
  ['a value that does not fit its type', driverError('22P02', 'invalid input: "jane@example.com"')],
  ['a constraint', driverError('23505', 'duplicate key value violates "uq"')],
  ['a message of several lines', new Error(`first line\n${'x'.repeat(300)}\njane@example.com`)],
  ['what led to it', new Error('outer', { cause: parseError() })],
  ['what is no error', 'jane@example.com'],
])('an error quotes no value: %s', async (name, err) => {
  lines.length = 0;
  createLogger({ level: 'info', process: 'test' }).error({ err }, name);
  const text = await eventually(() =>
    Promise.resolve(lines.join('').includes(name) ? lines.join('') : undefined),
  );
  expect(text).not.toContain('jane');
  if (err instanceof Error) expect(text).toMatch(/"stack":"\s*at /);
});

it('a line names the request that its work follows from, unless it names one itself', async () => {
  lines.length = 0;
  const log = createLogger({ level: 'info', process: 'test' });
  await inTrailOf('req-1', () => {
    log.info('within');
    log.child({}).info({ requestId: 'req-2' }, 'within, of another');
    return Promise.resolve();
  });
  log.info('outside');
  const read = (): unknown[] =>
    lines.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as unknown);
  await eventually(() => Promise.resolve(lines.join('').includes('outside') || undefined));
  expect(read()).toMatchObject([
    { requestId: 'req-1' },
    { requestId: 'req-2' },
    { msg: 'outside' },
  ]);
  expect(read()[2]).not.toHaveProperty('requestId');
});
