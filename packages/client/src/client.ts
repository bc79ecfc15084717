import { Reply, type Answer } from './answers.ts';
import type { CallOptions } from './calls.ts';
import { AffiliateError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { checkClient, type ClientOptions } from './options.ts';
import { Paged, type Page } from './pages.ts';
import { readOperation, type Input } from './request.ts';
import { exchange } from './transport.ts';

/** A client of one service with one credential: a resource for each group, a method an operation. */
export type AffiliateClient = Resources;

class Client {
  constructor(options: ClientOptions) {
    checkClient(options);
    for (const [resource, lines] of Object.entries(operations)) {
      const calls = Object.entries<string>(lines).map(([method, line]) => [
        method,
        callOf(options, `${resource}.${method}`, line),
      ]);
      Object.assign(this, { [resource]: Object.fromEntries(calls) as object });
    }
  }
}

// The fields are made from the generated table, which is what the generated interface says.
export const AffiliateClient = Client as unknown as new (options: ClientOptions) => AffiliateClient;

function callOf(client: ClientOptions, name: string, line: string) {
  const operation = readOperation(name, line);
  const call = (input: Input = {}, options: CallOptions = {}) => {
    const ask = (more: Input) =>
      exchange(client, operation, { input: { ...input, ...more }, options });
    if (!line.startsWith('GET*')) return new Reply(ask({}));
    return new Paged(input, operation.size ?? '', (more) => ask(more) as Promise<Answer<Page>>);
  };
  const refused = (error: unknown): boolean =>
    error instanceof AffiliateError && error.operation === name;
  return Object.assign(call, { refused });
}
