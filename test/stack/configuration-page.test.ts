import { readFileSync } from 'node:fs';
import path from 'node:path';
import { variableDocs } from '../../runtime/config/environment-fields';
import { configurationPage } from '../../stack/configuration-page';

describe('docs/configuration.md', () => {
  it('has a row for every variable, with its default as one would write it', () => {
    const page = configurationPage();

    for (const { name } of variableDocs) expect(page).toContain(`| \`${name}\` |`);
    expect(page).toContain('`0s,5s,5m,30m,2h');
  });

  it('is what the environment is read by today (npm run configuration)', () => {
    const file = path.join(__dirname, '../../docs/configuration.md');

    expect(readFileSync(file, 'utf8')).toBe(configurationPage());
  });
});
