import type { Connection } from '@temporalio/client';
import { optionalTsToMs } from '@temporalio/common/lib/time';
import { searchAttributeNames } from '../../runtime/temporal/messages';
import { dayMs } from '../../entities/rules/values/duration';

const INVALID_ARGUMENT = 3;

/** What is missing at a Temporal that others run; the message names the commands to run. */
export class NotPreparedError extends Error {}

interface Wanted {
  namespace: string;
  retentionDays: number;
}

/**
 * Looks whether a namespace at Temporal Cloud is as the service needs it, and makes nothing: its calls
 * for that are refused there. Throws with the commands to run when search attributes are missing.
 */
export async function checkManaged(
  connection: Connection,
  { namespace, retentionDays }: Wanted,
  say?: (sentence: string) => void,
): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const keptDays = (optionalTsToMs(config?.workflowExecutionRetentionTtl) ?? 0) / dayMs;
  if (keptDays !== retentionDays) {
    say?.(
      `The namespace ${namespace} keeps closed workflows for ${keptDays} days, and TEMPORAL_RETENTION_DAYS is ` +
        `${retentionDays}. Nothing is changed; this would: tcld namespace retention set --namespace ` +
        `${namespace} --retention-days ${retentionDays}`,
    );
  }
  const missing: string[] = [];
  for (const name of searchAttributeNames) {
    if (!(await isKnown(connection, namespace, name))) missing.push(name);
  }
  if (missing.length === 0) return;
  throw new NotPreparedError(
    `The namespace ${namespace} has no search attributes ${missing.join(', ')}. Run: ${commandsFor(namespace, missing)}`,
  );
}

/** Asks with a query that names the attribute: the list of attributes is an operator's, closed to us there. */
async function isKnown(connection: Connection, namespace: string, name: string): Promise<boolean> {
  try {
    const query = `\`${name}\` = 'a question'`;
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if ((error as { code?: number }).code === INVALID_ARGUMENT) return false;
    throw error;
  }
}

function commandsFor(namespace: string, names: readonly string[]): string {
  const options = names.map((name) => `--search-attribute "${name}=Keyword"`);
  return `tcld namespace search-attributes add --namespace ${namespace} ${options.join(' ')}`;
}
