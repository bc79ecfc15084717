import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { operatorReasons } from '../entities/rules/values/operator-note';

const root = path.join(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const guide = read('docs/operators.md');

/** The updates of operators by workflow type, as the guide's table has them. */
function inGuide(): string[] {
  const [, table = ''] = guide.split('| type, workflow id |');
  const [rows = ''] = table.split('\n\n');
  let type = '';
  return rows.split('\n').flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    type = /^`(\w+)`,/.exec(cells[1] ?? '')?.[1] ?? type;
    const update = /^`(\w+)`$/.exec(cells[2] ?? '')?.[1];
    return update ? [`${type} ${update}`] : [];
  });
}

/** The same of the code: what a file of workflows defines with a note. */
function inCode(): string[] {
  return readdirSync(path.join(root, 'workflows')).flatMap((file) => {
    const text = read(`workflows/${file}`);
    const [, type = ''] = /export (?:async )?function (\w+)\(/.exec(text) ?? [];
    const updates = [
      ...text.matchAll(/defineUpdate<\w+, (?:\[OperatorNote\]|Decide)>\(\s*'(\w+)'/g),
    ];
    return updates.map(([, name]) => `${type} ${name}`);
  });
}

describe('docs/operators.md', () => {
  it('has a picture of each situation, none of them heavy', () => {
    const named = [...guide.matchAll(/\]\(operators\/([\w-]+\.webp)\)/g)].map(([, file]) => file);
    expect(readdirSync(path.join(root, 'docs/operators')).sort()).toEqual(named.sort());
    for (const file of named) {
      expect(statSync(path.join(root, 'docs/operators', file ?? '')).size).toBeLessThan(150_000);
    }
  });

  it('lists the updates that there are', () => {
    expect(inGuide().sort()).toEqual(inCode().sort());
    expect(inCode()).toHaveLength(16);
  });

  it.each(operatorReasons.map((code) => [code]))('names the reason %s', (code) => {
    expect(guide).toContain(code);
  });
});
