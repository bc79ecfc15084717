import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { variableDocs } from '../../runtime/process/environment-fields';
import { configurationTable, withConfiguration } from '../../stack/readme';

const README = path.join(__dirname, '../../README.md');

describe('the configuration table', () => {
  it('has a row for every variable, with its default as one would write it', () => {
    const table = configurationTable();

    for (const { name } of variableDocs) expect(table).toContain(`| \`${name}\` |`);
    expect(table).toContain('`0s,5s,5m,30m,2h');
  });

  it('stands in the README as it is now (npm run readme)', () => {
    const readme = existsSync(README) ? readFileSync(README, 'utf8') : '';

    expect(withConfiguration(readme)).toBe(readme);
  });
});
