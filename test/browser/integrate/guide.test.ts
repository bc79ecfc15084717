import { buildSnippet } from '../../../api/snippet/build';
import { example, exampleNames, guide } from './examples';

describe('docs/integrate.md', () => {
  it.each(exampleNames)('shows %s as it is', (name) => {
    expect(guide()).toContain(example(name).trim());
  });

  it('shows no code that is no file', () => {
    const blocks = [...guide().matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    expect(blocks.sort()).toEqual(exampleNames.map((name) => example(name)).sort());
  });

  it('pins the present script by its hash and integrity', () => {
    const { pinnedPath, integrity } = buildSnippet();
    expect(example('pinned.html')).toContain(`https://api.example.com${pinnedPath}"`);
    expect(example('pinned.html')).toContain(`integrity="${integrity}"`);
  });
});
