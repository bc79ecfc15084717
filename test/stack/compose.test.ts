import { readFileSync } from 'node:fs';
import path from 'node:path';

const text = readFileSync(path.join(__dirname, '..', '..', 'docker-compose.yml'), 'utf8');

/** The sections below `services`, by name. */
function services(): [string, string][] {
  const [, all = ''] = text.split(/^services:\n/m);
  const [sections = ''] = all.split(/^\S/m);
  return sections
    .split(/^ {2}(?=[\w-]+:)/m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf(':')), section]);
}

it('has the services that it is about', () => {
  expect(services().map(([name]) => name)).toEqual(
    expect.arrayContaining(['postgres', 'redis', 'temporal', 'api', 'worker']),
  );
});

it.each(services())('%s writes a bounded log', (_name, section) => {
  expect(section).toMatch(/^ {4}(logging: \*logging|<<: \*service)$/m);
  expect(text).toMatch(/^x-service: &service\n(?: {2}.*\n)*? {2}logging: \*logging$/m);
  expect(text).toMatch(
    /^x-logging: &logging\n(?: {2}.*\n)*? {4}max-size: \d+m\n {4}max-file: '\d+'$/m,
  );
});
