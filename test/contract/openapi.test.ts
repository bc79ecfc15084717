import SwaggerParser from '@apidevtools/swagger-parser';
import { reaches } from '../../api/docs/reach';
import { declaredCodes } from '../../api/http/contract/declared-codes';
import { exampleOf } from '../../api/http/contract/example';
import { fieldsOf } from '../../api/http/contract/validators';
import { toInstance } from '../../api/http/contract/validate';
import { openApiFiles } from '../../api/write-documents';
import { routes } from '../../api/routes';
import { errorRegistry, toldCode, type ErrorCode } from '../../entities/errors';

const files = openApiFiles();

interface Media {
  schema?: unknown;
  example?: unknown;
}
interface Refusal {
  allOf?: { $ref?: string; properties?: { code: { enum: ErrorCode[] } } }[];
}
interface Operation {
  description?: string;
  parameters: { name: string; description?: string; schema: { default?: unknown } }[];
  operationId: string;
  security: unknown[];
  requestBody?: { required: boolean };
  responses: Record<string, { content?: Record<string, Media> }>;
}
const document = JSON.parse(files['openapi.json'] ?? '') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('what partners are answered', () => {
  /** Names of all properties that a schema leads to. */
  const namesIn = (node: unknown, seen = new Set<string>()): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { $ref, properties } = node as { $ref?: string; properties?: object };
    if ($ref !== undefined && !seen.has($ref)) {
      const name = $ref.split('/').at(-1) ?? '';
      return namesIn(document.components.schemas[name], seen.add($ref));
    }
    const nested = Object.values(node).flatMap((child) => namesIn(child, seen));
    return [...Object.keys(properties ?? {}), ...nested];
  };

  it('names no customer of the merchant', () => {
    const partners = documented.filter(({ path }) => path.startsWith('/api/v1/partner/'));
    const told = partners.flatMap(({ operation }) => namesIn(operation.responses));
    expect(partners.length).toBeGreaterThan(20);
    expect(told).toContain('amountCents');
    expect(told.filter((name) => /customer_?id|prospect/i.test(name))).toEqual([]);
  });
});

describe('the OpenAPI documents', () => {
  it('list every route, and each under a name of its own', () => {
    const known = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const listed = Object.values(files).flatMap((text) => {
      const { paths } = JSON.parse(text) as typeof document;
      return Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      );
    });
    expect(listed.sort()).toEqual(known.sort());
    const names = routes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it('give a schema and an example with every JSON answer', () => {
    const bare = documented.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const json = content?.['application/json'];
        if (!json || path.endsWith('openapi.json')) return [];
        return json.schema && json.example !== undefined ? [] : [`${method} ${path} ${status}`];
      }),
    );
    expect(bare).toEqual([]);
  });

  it('show answers that the fields of their class allow, and no other field', () => {
    const shown = routes.flatMap(({ name, spec }) =>
      Object.entries(spec.responses).flatMap(([status, { type, example }]) =>
        type && fieldsOf(type).size > 0
          ? [{ operation: `${name} ${status}`, type, answer: example ?? exampleOf(type) }]
          : [],
      ),
    );
    const wrong = shown.flatMap(({ operation, type, answer }) => {
      const asSent = JSON.parse(JSON.stringify(answer)) as object;
      try {
        expect(JSON.parse(JSON.stringify(toInstance(type, asSent, { unknown: 'refuse' })))).toEqual(
          asSent,
        );
        return [];
      } catch (error) {
        return [[operation, error]];
      }
    });
    expect(shown.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  it('say of every operation what its summary does not', () => {
    const bare = documented.filter(({ operation: { description = '' } }) => description.length < 8);
    expect(bare.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('say of every list what it is a list of', () => {
    const listsIn = (node: unknown): { items?: unknown }[] => {
      if (typeof node !== 'object' || node === null) return [];
      const nested = Object.values(node).flatMap(listsIn);
      return 'type' in node && node.type === 'array'
        ? [node as { items?: unknown }, ...nested]
        : nested;
    };
    const lists = Object.values(files).flatMap((text) => listsIn(JSON.parse(text)));
    expect(lists.length).toBeGreaterThan(100);
    expect(lists.filter(({ items }) => items === undefined)).toEqual([]);
  });

  it('require a credential exactly where the contract does', () => {
    for (const { name, spec } of routes) {
      const entry = documented.find(({ operation }) => operation.operationId === name);
      if (!entry) continue;
      expect([name, entry.operation.security.length > 0]).toEqual([
        name,
        spec.auth.kind !== 'open',
      ]);
    }
  });

  it('offer each kind of key exactly where it is let in', () => {
    const schemes = [
      ['managementKey', 'admin key'],
      ['secretKey', 'secret key'],
      ['publicKey', 'public key'],
    ] as const;
    for (const route of routes.filter(({ spec }) => spec.auth.kind !== 'open')) {
      const { operation } =
        documented.find((one) => one.operation.operationId === route.name) ?? {};
      const offered = (operation?.security ?? []).flatMap((one) => Object.keys(one as object));
      for (const [scheme, caller] of schemes) {
        const isLetIn = reaches(route, caller);
        expect([route.name, scheme, offered.includes(scheme)]).toEqual([
          route.name,
          scheme,
          isLetIn,
        ]);
      }
    }
  });

  it.each(Object.entries(files))('%s is valid to a second validator', async (_, text) => {
    const document = JSON.parse(text) as Parameters<typeof SwaggerParser.validate>[0];
    await expect(SwaggerParser.validate(document)).resolves.toHaveProperty('paths');
  });

  it('name the codes of each refusal, each at its own status', () => {
    const registered = new Set(
      (Object.keys(errorRegistry) as ErrorCode[]).map(
        (code) => `${toldCode(code)} ${errorRegistry[code].status}`,
      ),
    );
    const wrong = documented.flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema as Refusal | undefined;
        if (schema?.allOf?.[0]?.$ref !== '#/components/schemas/ErrorDto') return [];
        const codes = schema.allOf[1]?.properties?.code.enum ?? [];
        const fits = codes.every((code) => registered.has(`${code} ${status}`));
        return codes.length > 0 && fits ? [] : [`${method} ${path} ${status}`];
      }),
    );
    expect(wrong).toEqual([]);
    const refusals = documented.filter(({ operation }) => '503' in operation.responses);
    expect(refusals.length).toBeGreaterThan(100);
    expect(JSON.stringify(document)).not.toContain(
      '"schema":{"$ref":"#/components/schemas/ErrorDto"}',
    );
  });

  it('say the default of a parameter where one is absent, and of nullable objects both forms', () => {
    const list = document.paths['/api/v1/programs']?.['get'];
    const defaults = list?.parameters.map(({ name, schema }) => [name, schema.default]);
    expect(defaults).toEqual(
      expect.arrayContaining([
        ['page', 1],
        ['limit', 20],
        ['X-Mode', 'live'],
      ]),
    );
    const unsaid = documented.flatMap(({ operation: { parameters } }) =>
      parameters.flatMap(({ name, description = '', schema }) =>
        /\bdefault\b/i.test(description) && schema.default === undefined ? [name] : [],
      ),
    );
    // The two fields are in a programme's own currency, which no schema knows.
    expect(new Set(unsaid)).toEqual(new Set(['currency', 'sourceCurrency']));
    const text = JSON.stringify(document);
    expect(text).toContain('{"type":"object","nullable":true,"enum":[null]}');
    expect(text).not.toContain('"nullable":true,"allOf"');
  });

  it('name every code of the registry that belongs to what is built', () => {
    // Answered before an operation is known, or by none in particular.
    const ofNone: ErrorCode[] = ['INTERNAL_ERROR', 'METHOD_NOT_ALLOWED'];
    const used = new Set<string>(routes.flatMap(({ method, spec }) => declaredCodes(method, spec)));
    const unused = Object.keys(errorRegistry).filter((code) => !used.has(code));
    expect(unused.sort()).toEqual(ofNone);
  });
});
