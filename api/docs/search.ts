import type { Entry } from './found';
import { anchorOf } from './markdown';
import type { DocsPage, Place } from './pages';

interface DocumentView {
  paths: Record<string, Record<string, OperationView>>;
}
interface OperationView {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
}

/** What a search looks in: each part of each page, and each operation of the API. */
export function searchEntries(
  pages: readonly DocsPage[],
  document: Record<string, unknown>,
  place: Place,
): Entry[] {
  const operations = operationsOf(document as unknown as DocumentView, place);
  return [...pages.flatMap((page) => sectionsOf(page, place)), ...operations];
}

/** The parts of a page, each from its heading to the next one outside of code. */
function sectionsOf({ name, title, text }: DocsPage, { pageEnd }: Place): Entry[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^#+ (.*)$/.exec(line) ?? []);
    if (heading === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ heading, lines: [] });
  }
  return parts.map(({ heading, lines }) => ({
    href: `${name}${pageEnd}#${anchorOf(heading)}`,
    title: (heading === title ? title : `${title}: ${heading}`).replaceAll('`', ''),
    text: lines.join('\n'),
  }));
}

function operationsOf({ paths }: DocumentView, { reference }: Place): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '', tags }]) => ({
      href: `${reference}#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`,
      title: `API: ${summary}`,
      text: `${method.toUpperCase()} ${path}\n${description}\n${operationId}`,
    })),
  );
}
