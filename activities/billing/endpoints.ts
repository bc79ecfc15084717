import type { FurtherBiller } from '../../entities/rules/billing/biller';
import { textAt, type Json } from '../../entities/rules/billing/json';
import { billerHttpFailure } from '../../runtime/connections/biller-http';
import { registrationFailure } from './check-reads';
import type { EndpointState, RegisteredEndpoint } from './reader';

/** How a biller that is asked over HTTP registers endpoints. */
export interface EndpointCalls {
  biller: FurtherBiller;
  /** What a key needs to register one. */
  permission: string;
  /** Where an endpoint's signing secret stands. */
  secretField: string;
  /** Ours of this address, with its secret, if there is one. */
  find(url: string): Promise<Json | undefined>;
  make(url: string): Promise<Json>;
  /** Brings it to what we ask for now. */
  keep(endpoint: { id: string; url: string }): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The same at each of them, as an account has it. */
export function endpointsBy(calls: EndpointCalls) {
  const { biller, permission, secretField } = calls;
  return {
    /** An answer that got lost left an endpoint behind: it is found by its address before another is made. */
    async register({ url }: { url: string }): Promise<RegisteredEndpoint> {
      try {
        const made = (await findOurs(calls, url)) ?? (await calls.make(url));
        const [id, secret] = [textAt(made, 'id'), textAt(made, secretField)];
        if (id === null || secret === null) throw new Error('an endpoint without its secret');
        return { id, secret, replaces: null };
      } catch (error) {
        throw registrationFailure(biller, error, permission);
      }
    },
    async keep(endpoint: { id: string; url: string }): Promise<EndpointState> {
      try {
        await calls.keep(endpoint);
        return 'kept';
      } catch (error) {
        return billerHttpFailure(error) === 'missing' ? 'gone' : 'kept';
      }
    },
    async remove(id: string): Promise<void> {
      try {
        await calls.remove(id);
      } catch (error) {
        if (billerHttpFailure(error) === 'away') throw registrationFailure(biller, error, '');
      }
    },
  };
}

/** A key that may make endpoints need not be one that lists them. */
async function findOurs(calls: EndpointCalls, url: string): Promise<Json | undefined> {
  try {
    return await calls.find(url);
  } catch (error) {
    if (billerHttpFailure(error) === 'away') throw error;
    return undefined;
  }
}
