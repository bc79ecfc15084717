import { Paged, type CallOptions, type Page } from './calls.ts';
import { AffiliateError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { readOperation, send, type ClientOptions, type Input } from './transport.ts';

/** A client of one service with one credential: a resource for each group, a method an operation. */
export type AffiliateClient = Resources;

class Client {
  constructor(options: ClientOptions) {
    for (const [resource, lines] of Object.entries(operations)) {
      const calls = Object.entries(lines).map(([name, line]) => [name, callOf(options, line)]);
      Object.assign(this, { [resource]: Object.fromEntries(calls) as object });
    }
  }
}

// The fields are made from the generated table, which is what the generated interface says.
export const AffiliateClient = Client as unknown as new (options: ClientOptions) => AffiliateClient;

function callOf(client: ClientOptions, line: string) {
  const operation = readOperation(line);
  const call = (input: Input = {}, options: CallOptions = {}) => {
    if (!line.startsWith('GET*')) return send(client, operation, { input, options });
    return new Paged(input['page'] as number | undefined, (page) => {
      const fields = page === undefined ? input : { ...input, page };
      return send(client, operation, { input: fields, options }) as Promise<Page>;
    });
  };
  const refused = (error: unknown): boolean => error instanceof AffiliateError;
  return Object.assign(call, { refused });
}
