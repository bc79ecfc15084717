import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readContainerLoad } from '../../../runtime/process/container-load';
import { watchLoad, type Load } from '../../../runtime/process/machine-load';

describe('the load of a machine', () => {
  const look = (...idles: number[]) => {
    let now = 0;
    const read = (): Load[] => idles.map((idle) => ({ busy: (1 - idle) * now, idle: idle * now }));
    const watch = watchLoad({ read, now: () => now });
    now = 500;
    return watch()?.idle;
  };

  it('is that of whatever has least to spare', () => {
    expect(look(0.9)).toBeCloseTo(0.9);
    expect(look(0.9, 0.2)).toBeCloseTo(0.2);
    expect(look(0.3, 0.8)).toBeCloseTo(0.3);
  });

  it('leaves nothing to spare where more was used than allowed', () => {
    expect(look(0.9, -0.5)).toBe(0);
  });

  it('can be read of this machine', () => {
    const watch = watchLoad({ now: nowOf([0, 1_000]) });
    expect(watch()).toMatchObject({ isForgotten: false });
  });
});

describe('the load of a container', () => {
  let group: string;
  beforeEach(() => {
    group = mkdtempSync(path.join(tmpdir(), 'cgroup-'));
  });
  afterEach(() => rmSync(group, { recursive: true }));

  const limit = (max: string, usage: number): void => {
    writeFileSync(path.join(group, 'cpu.max'), `${max}\n`);
    writeFileSync(
      path.join(group, 'cpu.stat'),
      `usage_usec ${usage}\nuser_usec 1\nsystem_usec 2\n`,
    );
  };

  it('is what it used of its limit', () => {
    limit('150000 100000', 4_000_000);
    expect(readContainerLoad(group, 10_000)).toEqual({ busy: 4_000_000, idle: 11_000_000 });
  });

  it('is none without a limit, and where there is no such file', () => {
    expect(readContainerLoad(group)).toBeUndefined();
    limit('max 100000', 4_000_000);
    expect(readContainerLoad(group)).toBeUndefined();
  });
});

/** A clock that shows these times, one after the other, and then the last one. */
function nowOf(times: number[]): () => number {
  return () => (times.length > 1 ? times.shift() : times[0]) ?? 0;
}
