import { mainDocument, waitlistDocument } from '../../../api/docs/documents';
import { buildDocument } from '../../../api/http/contract/openapi';
import { routes } from '../../../api/routes';
import { useApp } from '../../support/app';
import { minimalBodies, requiredQueries } from '../../support/bodies/minimal';
import {
  fieldsIn,
  oddQueries,
  oddValues,
  withValue,
  type Json,
} from '../../support/bodies/odd-input';
import { fullBodies } from '../../support/bodies/odd';
import { buildWorld, type World } from '../../support/world';

const app = useApp();
let world: World;

beforeAll(async () => {
  world = await buildWorld(app, { mode: 'live' });
}, 60_000);

type Operation = (typeof routes)[number];
const documents = [mainDocument, waitlistDocument].map(
  (document) => buildDocument(routes, document('http://localhost')) as unknown as Json,
);

const title = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

function tokenFor({ spec }: Operation): string | undefined {
  if (spec.auth.kind === 'open') return undefined;
  if (spec.auth.kind === 'partner') return world.partner.token;
  if (spec.auth.kind === 'secretKey') return world.keys.secret;
  if (spec.auth.kind === 'publicKey') return world.keys.public;
  return world.owner.token;
}

const pathOf = (operation: Operation): string =>
  operation.path.replace(/:(\w+)/g, (_match, name: string) =>
    operation.spec.auth.kind === 'open' ? 'x' : world.id(name, operation.path),
  );

interface Refusal {
  code?: string;
  details?: { field: string }[];
}

/** What is wrong with an answer to one odd field: nothing below 500 that names another field. */
async function problemOf(
  operation: Operation,
  { query = '', body }: { query?: string; body?: string },
  field: string,
): Promise<string | undefined> {
  const token = tokenFor(operation);
  const response = await fetch(app.url + pathOf(operation) + query, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const said = `${response.status} ${text.slice(0, 300)}`;
  if (response.status >= 500) return said;
  if (response.status !== 400) return undefined;
  const { code, details } = JSON.parse(text) as Refusal;
  if (code !== 'VALIDATION_ERROR') return undefined;
  // One end of a period may be told by the other.
  const isEnd = ['from', 'to', 'dateFrom', 'dateTo'].includes(field);
  const isNamed = details?.some(
    ({ field: named }) =>
      named === 'body' ||
      named.startsWith(field) ||
      (isEnd && /^(from|to|dateFrom|dateTo)$/.test(named)),
  );
  return isNamed ? undefined : said;
}

const bodyOf = ({ name }: Operation): Json => fullBodies(world)[name] ?? minimalBodies[name] ?? {};

const schemaOf = (operation: Operation) => {
  for (const document of documents) {
    const fields = fieldsIn(document, operation.method, operation.path);
    if (fields) return fields;
  }
  return { body: [], query: [] };
};

interface Try {
  /** The field that a refusal names. */
  field: string;
  said: string;
  query?: string;
  body?: string;
}

/** What is wrong with the answers, eight asked for at a time. */
async function problemsOf(operation: Operation, tries: readonly Try[]): Promise<string[]> {
  const problems: string[] = [];
  for (let next = 0; next < tries.length; next += 8) {
    const answers = tries.slice(next, next + 8).map(async (one) => {
      const problem = await problemOf(operation, one, one.field);
      if (problem) problems.push(`${one.said.slice(0, 80)}: ${problem}`);
    });
    await Promise.all(answers);
  }
  return problems;
}

const withBodies = routes.filter((operation) => schemaOf(operation).body.length > 0);
it.each(withBodies.map((operation) => [title(operation), operation]))(
  '%s refuses what is no value, and names it',
  async (_, operation) => {
    const query = requiredQueries[operation.name] ?? '';
    const tries = schemaOf(operation).body.flatMap((place) =>
      oddValues.map((value) => ({
        field: String(place[0]),
        said: `${place.join('.')} ${value}`,
        query,
        body: withValue(bodyOf(operation), place, value),
      })),
    );
    expect(await problemsOf(operation, tries)).toEqual([]);
  },
  120_000,
);

const withQueries = routes.filter(
  (operation) => schemaOf(operation).query.length > 0 && !operation.path.endsWith('/stream'),
);
it.each(withQueries.map((operation) => [title(operation), operation]))(
  '%s refuses a query that is none, and names it',
  async (_, operation) => {
    const body = operation.spec.body ? { body: JSON.stringify(bodyOf(operation)) } : {};
    const tries = schemaOf(operation).query.flatMap((name) => {
      const rest = new URLSearchParams(requiredQueries[operation.name] ?? '');
      rest.delete(name);
      return oddQueries(name).map((odd) => ({
        field: name,
        said: odd,
        query: `?${rest.toString()}&${odd}`,
        ...body,
      }));
    });
    expect(await problemsOf(operation, tries)).toEqual([]);
  },
  120_000,
);
