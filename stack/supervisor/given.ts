import { Connection } from '../../entities/database/connection';
import {
  prepareNamespace,
  type NamespaceOptions,
  type TemporalServer,
} from '../../workers/temporal/namespace';
import { NotPreparedError } from '../../workers/temporal/managed';
import { UnreachableError } from '../../workers/temporal/unreachable';

const CONNECT_MS = 5_000;

/** Throws a sentence that names the variable when the database given from outside cannot be used. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new Connection({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
  } catch (error) {
    throw unusable('The database at DATABASE_URL', error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes the namespace ready on a server given from outside; throws a sentence when that fails. */
export async function checkTemporal(
  server: TemporalServer,
  options: NamespaceOptions = {},
): Promise<void> {
  try {
    await prepareNamespace(server, options);
  } catch (error) {
    if (error instanceof UnreachableError || error instanceof NotPreparedError) throw error;
    throw unusable(`Temporal at TEMPORAL_ADDRESS (${server.address})`, error);
  }
}

/** Its address and password stay out: the text may end in a log. */
function unusable(what: string, error: unknown): Error {
  const { message, code } = error as NodeJS.ErrnoException;
  return new Error(`${what} cannot be used: ${message || code}.`);
}
