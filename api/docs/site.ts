import type { StaticFile } from '../http/server/static-file';
import { searchOver } from './found';
import { toHtml } from './markdown';
import { docsPages, docsPictures, pageText, type DocsPage, type Place } from './pages';
import { searchEntries } from './search';
import { guideStyle, shell } from './shell';

const cacheControl = 'public, max-age=60';

/** The pages at one place: what a service serves below /api/docs, and what `npm run docs` writes. */
export interface Site {
  /** Each file by its name there, without `.html`; built when it is asked for. */
  files: Record<string, () => StaticFile>;
  pages: readonly DocsPage[];
  /** The page of what a phrase finds. */
  search: (phrase: string) => StaticFile;
  entries: () => ReturnType<typeof searchEntries>;
  /** The page around a search's results. */
  searchPage: (results: string, phrase?: string) => StaticFile;
}

export function docsSite(
  serverUrl: string,
  place: Place,
  openApi: () => Record<string, unknown>,
): Site {
  const pages = docsPages(serverUrl);
  const searchPage = (results: string, phrase = ''): StaticFile => {
    const body = `<h1>Search</h1><div class="hits">${results}</div>`;
    return shell({ place, pages, from: 'search', title: 'Search', body, phrase });
  };
  const entries = () => searchEntries(pages, openApi(), place);
  let search: ReturnType<typeof searchOver> | undefined;
  return {
    files: { ...pageFiles(pages, place), ...pictureFiles(), 'guide.css': () => guideStyle },
    pages,
    entries,
    searchPage,
    // What it looks in is made ready when somebody first searches.
    search: (phrase) => searchPage((search ??= searchOver(entries()))(phrase), phrase),
  };
}

/** Each page twice: to read, and as it was written. */
function pageFiles(pages: readonly DocsPage[], place: Place): Site['files'] {
  const files = pages.flatMap((page): [string, () => StaticFile][] => [
    [page.name, () => htmlOf(pages, page, place)],
    [
      `${page.name}.md`,
      () => ({ type: 'text/markdown', body: pageText(pages, page), cacheControl }),
    ],
  ]);
  return Object.fromEntries(files);
}

function htmlOf(pages: readonly DocsPage[], page: DocsPage, place: Place): StaticFile {
  const { name: from, title } = page;
  return shell({ place, pages, from, title, body: toHtml(pages, page, place) });
}

function pictureFiles(): Site['files'] {
  const pictures = [...docsPictures()].map(([name, read]) => [
    name,
    (): StaticFile => ({ type: 'image/webp', body: read(), cacheControl, isPacked: true }),
  ]);
  return Object.fromEntries(pictures) as Site['files'];
}
