import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { schedules } from '../workers/temporal/schedules';
import { rooms } from './support/rooms';

const root = path.join(__dirname, '..');
const folders = [
  'entities',
  'runtime',
  'activities',
  'workflows',
  'workers',
  'api',
  'stack',
  'bench',
] as const;
type Folder = (typeof folders)[number];

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const files = folders.flatMap((folder) => filesUnder(path.join(root, folder)));

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return filesUnder(file);
    return file.endsWith('.ts') ? [file] : [];
  });
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';/gms);
  return [...statements].map(([, type, target = '']) => ({
    file: path.relative(root, file),
    typeOnly: type !== undefined,
    target: target.startsWith('.')
      ? path.relative(root, path.resolve(path.dirname(file), target))
      : target,
  }));
}

const imports = files.flatMap(importsOf);
const startsWith = (text: string, names: readonly string[]): boolean =>
  names.some((name) => text === name || text.startsWith(`${name}/`));

/** Which of our folders each folder may import. */
const arrows: Record<Folder, readonly string[]> = {
  entities: ['entities'],
  runtime: ['runtime', 'entities'],
  activities: ['activities', 'runtime', 'entities'],
  workflows: ['workflows', 'entities/rules', 'runtime/temporal/messages', 'activities'],
  workers: ['workers', 'activities', 'runtime', 'entities'],
  api: ['api', 'activities', 'runtime', 'entities'],
  stack: ['stack', 'workers/temporal', 'activities', 'runtime', 'entities'],
  bench: [
    ...['bench', 'stack', 'api', 'workers', 'activities', 'runtime', 'entities', 'workflows'],
    // Compiled by bench/run.mjs like the rest.
    'test/support/workers',
  ],
};

const pages = ['account', 'app', 'mails', 'portal', 'session', 'text', 'ui'].flatMap((folder) => {
  const place = path.join(root, 'web', folder);
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => path.join(place, name));
});

describe('the import arrows', () => {
  it.each(folders)('of %s hold', (folder) => {
    const broken = imports
      .filter(({ file }) => file.startsWith(`${folder}/`))
      .filter(({ target }) => startsWith(target, [...folders, 'test']))
      .filter(({ target }) => !startsWith(target, arrows[folder]))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(broken).toEqual([]);
  });

  it('let pages import the client package only, and four rules of theirs', () => {
    const shared = [
      ...['entities/rules/values/currency', 'entities/rules/notifications/record-path'],
      'entities/rules/imports/kinds',
      'entities/rules/payouts/countries',
    ];
    const outside = pages
      .flatMap(importsOf)
      .filter(({ target }) => target.includes('/') && !target.startsWith('@'))
      .filter(({ target }) => !startsWith(target, ['web', 'packages/client/src', 'react-dom']))
      .filter(({ target }) => !shared.includes(target))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(pages.length).toBeGreaterThan(50);
    expect(outside).toEqual([]);
  });

  it('let workflows import types of activities only, and nothing with a socket', () => {
    const ofValues = arrows.workflows.filter((name) => name !== 'activities');
    const values = imports
      .filter(({ file, typeOnly }) => file.startsWith('workflows/') && !typeOnly)
      .filter(({ target }) => !startsWith(target, ofValues))
      .filter(({ target }) => target !== '@temporalio/workflow');
    expect(values).toEqual([]);
  });

  it('keep rules pure: no Node module, no package, no clock', () => {
    const rules = files.filter((file) => file.includes('/entities/rules/'));
    const impure = imports
      .filter(({ file }) => file.startsWith('entities/rules/'))
      .filter(({ target }) => !target.startsWith('entities/rules/'));
    expect(impure).toEqual([]);
    const clocks = rules.filter((file) =>
      /Date\.now\(\)|new Date\(\)|Math\.random/.test(readFileSync(file, 'utf8')),
    );
    expect(clocks.map((file) => path.relative(root, file))).toEqual([]);
  });
});

describe.each(Object.entries(rooms))('the rooms of %s/', (folder, declared) => {
  /** The longest declared name that a file stands under, else the folder that it stands in. */
  const roomOf = (file: string): string | undefined => {
    if (!file.startsWith(`${folder}/`)) return undefined;
    const inside = file.slice(folder.length + 1).replace(/\.ts$/, '');
    const names = Object.keys(declared).filter((name) => startsWith(inside, [name]));
    return names.sort((a, b) => b.length - a.length)[0] ?? inside.split('/')[0];
  };
  const standsInRoom = (file: string): boolean =>
    path.dirname(file) !== folder || (roomOf(file) ?? '') in declared;
  const crossings = imports
    .filter(({ file }) => standsInRoom(file))
    .flatMap(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from && to && from !== to ? [{ file, from, to }] : [];
    });

  it('are all declared', () => {
    const inRooms = files.map((file) => path.relative(root, file)).filter(standsInRoom);
    const found = new Set(inRooms.flatMap((file) => roomOf(file) ?? []));
    expect([...found].sort()).toEqual(Object.keys(declared).sort());
  });

  it('import only the rooms that they declare', () => {
    const broken = crossings
      .filter(({ from, to }) => !declared[from]?.includes(to))
      .map(({ file, to }) => `${file} -> ${to}`);
    expect(broken).toEqual([]);
  });

  it('declare only what they import', () => {
    const used = new Set(crossings.map(({ from, to }) => `${from} -> ${to}`));
    const arrowsOf = ([from, targets]: [string, readonly string[]]): string[] =>
      targets.map((to) => `${from} -> ${to}`);
    const unused = Object.entries(declared).flatMap(arrowsOf);
    expect(unused.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it('have no circle', () => {
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      (declared[from] ?? []).some((next) => {
        if (next === goal) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, goal, seen);
      });
    expect(Object.keys(declared).filter((room) => reaches(room, room))).toEqual([]);
  });
});

it('no file imports one that imports it in turn, for types neither', () => {
  const known = new Set(files.map((file) => path.relative(root, file)));
  const fileOf = (target: string): string | undefined =>
    [`${target}.ts`, `${target}/index.ts`].find((file) => known.has(file));
  let arrows = imports.flatMap(({ file, target }) => {
    const imported = fileOf(target);
    return imported ? [{ file, imported }] : [];
  });
  // What is left when an arrow from a file that nothing leads to, or to one that leads nowhere, is
  // taken away, again and again.
  for (let before = -1; before !== arrows.length;) {
    before = arrows.length;
    const [from, to] = [
      new Set(arrows.map((one) => one.file)),
      new Set(arrows.map((one) => one.imported)),
    ];
    arrows = arrows.filter(({ file, imported }) => from.has(imported) && to.has(file));
  }
  expect(arrows.map(({ file, imported }) => `${file} -> ${imported}`)).toEqual([]);
});

it('what Temporal calls stands in activities.ts, which only the merged list imports', () => {
  const importers = imports
    .filter(({ target, typeOnly }) => !typeOnly && /^activities\/.*activities$/.test(target))
    .filter(({ file }) => file !== 'activities/index.ts')
    .map(({ file, target }) => `${file} -> ${target}`);
  expect(importers).toEqual([]);
});

describe('the workflow bundle', () => {
  let code: string;
  beforeAll(async () => {
    const quiet = (): void => undefined;
    const logger = {
      log: quiet,
      trace: quiet,
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: quiet,
    };
    const workflowsPath = path.join(root, 'workflows');
    ({ code } = await bundleWorkflowCode({ workflowsPath, logger }));
  }, 60_000);

  it('has no entity in it: those make it several times as large', () => {
    expect(code.length).toBeLessThan(3_000_000);
    expect(code).not.toContain('typeorm');
  });

  it('has every workflow that the relay and the schedules start', () => {
    const relay = ['handlers', 'lifecycle-starts']
      .map((name) => readFileSync(path.join(root, `workers/relay/${name}.ts`), 'utf8'))
      .join('\n');
    const types =
      'commissionLifecycle|deliverMail|processStripeEvent|webhookRetries|requeueDeadLetters';
    const started = [...relay.matchAll(new RegExp(`'(${types})'`, 'g'))].map(([, name]) => name);
    const exported = readFileSync(path.join(root, 'workflows/index.ts'), 'utf8');
    for (const name of [...started, ...schedules.map(({ workflow }) => workflow)]) {
      expect(exported).toMatch(new RegExp(`\\b${name}\\b`));
    }
    expect(started.length).toBeGreaterThanOrEqual(5);
  });
});

describe('pages ask by operation alone', () => {
  const linesOf = (pattern: RegExp): string[] =>
    pages.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const found = lines.filter((line) => pattern.test(line));
      return found.map((line) => `${path.relative(root, file)}: ${line.trim()}`);
    });

  it('no path of the API is written in them', () => {
    expect(linesOf(/['"`]\/?(api\/)?v1\/|\/(api\/v1|v1)\//)).toEqual([]);
    expect(linesOf(/['"`{}]\/api\b/)).toEqual([
      'web/app/developers/developers.tsx: <a href="/api/docs">{words.reference}</a>',
    ]);
  });

  it('the session sends, and names the operation: nothing else has a way to the API', () => {
    const senders = linesOf(/\bfetch\((?!\))|\/transport\b|XMLHttpRequest|sendBeacon/);
    expect(senders.map((line) => line.split(': ')[0])).toEqual([
      ...['web/session/session.ts', 'web/session/session.ts'],
      // A page's file that is gone is found by asking for the page.
      'web/ui/lazy-page.tsx',
    ]);
  });

  it('an answer has the type of its operation, by no other word', () => {
    const given = linesOf(/\buse(Query|Queries|Mutation)<|\.json\(\)| as \w+Dto\b/);
    expect(given).toEqual([
      'web/account/bell.tsx: onNews((JSON.parse(String(event.data)) as NotificationDto).category);',
      'web/session/use-session.ts: return useQuery<Answer<N>>({',
    ]);
  });
});

describe('the environment', () => {
  it('is read in one place only', () => {
    const readers = files
      .filter((file) => !/\/(stack|bench)\//.test(file))
      .filter((file) => readFileSync(file, 'utf8').includes('process.env'))
      .map((file) => path.relative(root, file));
    expect(readers).toEqual(['runtime/config/config.ts']);
  });
});
