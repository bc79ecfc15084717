import { ApplicationFailure } from '@temporalio/common';
import type { Deps } from '../../../runtime/process/deps';
import { attemptCode, type CodeState } from './attempt';

/** The activity of billerCode: an id in, a state out. */
export function createBillerCodeActivities(deps: Pick<Deps, 'db' | 'config' | 'vault' | 'clock'>) {
  return {
    /** One attempt; the failure says only that the biller is to be asked again. */
    async attemptBillerCode({ codeId }: { codeId: string }): Promise<CodeState> {
      const state = await attemptCode(deps, codeId);
      if (state !== 'again') return state;
      const message = 'The biller did not answer, or an older code of this text is still there.';
      throw ApplicationFailure.retryable(message, 'BillerCodeAgain');
    },
  };
}
