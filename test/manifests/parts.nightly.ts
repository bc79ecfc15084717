import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dockerfile } from '../support/stack/image';

jest.setTimeout(300_000);

const root = path.join(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the image lists the packages that it has, and none of development', () => {
  for (const name of ['package.json', 'package-lock.json', 'packages/client/package.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  execFileSync('cp', ['-a', path.join(root, 'node_modules'), folder]);
  const steps = [...dockerfile().matchAll(/^RUN (.*(?:npm prune|npm sbom).*)$/gm)];
  for (const [, step = ''] of steps) {
    // It is built already.
    const command = step.replace('npm run build && ', '');
    execFileSync('sh', ['-ec', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const { components } = JSON.parse(readFileSync(path.join(folder, 'sbom.json'), 'utf8')) as {
    components: { name: string }[];
  };
  const names = components.map(({ name }) => name);
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain('jest');
  expect(dockerfile()).toContain('COPY --from=build /app/package.json /app/sbom.json ./');
});
