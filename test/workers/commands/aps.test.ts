import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { newId } from '../../../entities/ids';
import { testEnvironment } from '../../support/app';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';
import { apsIn, layOutImage } from '../../support/stack/image';
import { buildService } from '../../support/stack/service-process';

const root = path.join(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

let image: string;
let database: TestDataSource;

beforeAll(async () => {
  buildService();
  database = await openTestDataSource(2);
  image = mkdtempSync(path.join(tmpdir(), 'image-'));
  layOutImage(image);
}, 120_000);
afterAll(async () => {
  rmSync(image, { recursive: true });
  await database.close();
});

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** `aps` by the name that the image has for it. */
function aps(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const program = apsIn(image);
  chmodSync(program, 0o755);
  const env = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment };
  return new Promise((resolve) => {
    execFile(program, args, { env, cwd: tmpdir() }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

let names: string[];
beforeAll(async () => {
  const { out } = await aps([]);
  names = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);
});

describe('aps, with nothing but the files of the image', () => {
  it('lists each command with a line, and every file of commands is one', async () => {
    const help = await aps(['--help']);
    expect(help).toEqual({ ...(await aps([])), code: 0, err: '' });
    const files = readdirSync(path.join(root, 'workers/commands'))
      .filter((file) => /^export const command: Command =/m.test(read(`workers/commands/${file}`)))
      .map((file) => file.replace('.ts', ''));
    expect([...names].sort()).toEqual(files.sort());
  });

  it('says of each command how it is called, without any environment', async () => {
    // One process asks them all, since each loads what all have in common.
    const script = `for (const name of process.argv.slice(1))
      console.log(require('./dist/workers/commands/' + name + '.js').command.usage);`;
    const env = { PATH: process.env['PATH'] ?? '' };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['-e', script, ...names], { env, cwd: image });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}aps ${name}\\b`, 'm'));
    const help = await aps(['explain', '--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(stdout).toContain(help.out);
  });

  it('refuses a word that it does not know, on standard error', async () => {
    const { code, out, err } = await aps(['retry']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('  explain ');
  });

  it('runs commands: secrets that its own check takes, and what is known of an id', async () => {
    const { out } = await aps(['secrets']);
    const secrets = Object.fromEntries(
      [...out.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    // A mail provider says its own: one that nobody has makes refusals of what strangers send.
    expect(secrets).not.toHaveProperty('EMAIL_WEBHOOK_SECRET');
    const production = {
      ...secrets,
      DATABASE_URL: database.url,
      PUBLIC_BASE_URL: 'https://api.example.com',
      REDIS_URL: 'redis://redis.example:6379',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      MAIL_FROM: 'Affiliates <noreply@example.com>',
      SMTP_URL: 'smtp://mail.example.com:587',
    };
    const checked = await aps(['config'], production);
    expect([checked.code, checked.err]).toEqual([0, '']);
    expect(checked.out).toContain('The configuration is valid.');

    const explained = await aps(['explain', newId()], testEnvironment(database.url));
    expect([explained.code, explained.err]).toEqual([0, '']);
    expect(explained.out.length).toBeGreaterThan(10);
  });

  it('has every command that a page, a manifest or the code names', async () => {
    const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`);
    const texts = [
      ...pages,
      'README.md',
      'CONTRIBUTING.md',
      'docker-compose.yml',
      'operate/alarms.yml',
    ];
    const named = texts.flatMap((file) =>
      [...read(file).matchAll(/(?<![\w-])aps ([a-z][\w-]*)/g)].map(
        ([, name = '']) => `${file}: ${name}`,
      ),
    );
    expect(named.filter((line) => !names.includes(line.split(': ')[1] ?? ''))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });
});
