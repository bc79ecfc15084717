import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launch } from '../../../stack/parts/process';
import { eventually } from '../../support/eventually';

it('a part that yields to others does so as a process, and as a session where cores are shared among sessions', async () => {
  const part = await launch({
    name: 'dummy',
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    logFile: path.join(mkdtempSync(path.join(os.tmpdir(), 'affiliate-priority-')), 'dummy.log'),
    isReady: async () => true,
    niceness: 5,
  });
  try {
    expect(os.getPriority(part.pid)).toBe(5);
    const session = `/proc/${part.pid}/autogroup`;
    if (!existsSync(session)) return;
    await eventually(async () =>
      /nice 5$/m.test(readFileSync(session, 'utf8')) ? true : undefined,
    );
  } finally {
    await part.stop();
  }
});
