import fs from 'node:fs';
import { createLogger } from '../../../runtime/process/logger';
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
