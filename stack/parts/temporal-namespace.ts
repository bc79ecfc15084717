import { Connection } from '@temporalio/client';

/** Set when a workflow starts, so that operators can filter by them; all of them are keywords. */
export const SEARCH_ATTRIBUTES = ['WorkspaceId', 'ProgramId', 'Mode', 'Stage'] as const;

export async function isNamespaceReady(address: string, namespace: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: '2s' });
    try {
      await connection.withDeadline(Date.now() + 2_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
