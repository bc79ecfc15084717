import { heartbeat } from '@temporalio/activity';
import type { Deps } from '../../runtime/process/deps';
import { runImportTurn, type ImportTurn } from './turn';

/** What importProgram calls. */
export function createImportActivities(
  deps: Pick<Deps, 'db' | 'clock' | 'vault' | 'config' | 'vendors'>,
) {
  return {
    /** Some seconds of work on an import. */
    importTurn: ({ importId }: { importId: string }): Promise<ImportTurn> =>
      runImportTurn(deps, importId, () => heartbeat()),
  };
}
