import { defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { CodeState } from '../activities/billing/codes/attempt';
import { changedSignalName, type BillerCodeInput } from '../runtime/temporal/messages';
import { detailsOf, instant } from './operators';

const changedSignal = defineSignal(changedSignalName);

/** It may ask and then change, ten seconds each; a biller that does not answer is asked until it does. */
const { attemptBillerCode } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  summary: 'What the code should be at its biller',
});

/**
 * One promo code at one biller: made or switched off there, tried until that is known. It knows nothing by
 * itself: what the code should be is asked of its row in each attempt.
 */
export async function billerCode({ codeId }: BillerCodeInput): Promise<CodeState> {
  const since = instant();
  let asked = true;
  let state: CodeState = 'pending';
  setHandler(changedSignal, () => {
    asked = true;
  });
  while (asked) {
    asked = false;
    show(codeId, {
      state,
      since,
      next: 'The biller is asked; without an answer again, each ten minutes at last.',
    });
    state = await attemptBillerCode({ codeId });
  }
  show(codeId, { state, since, next: 'The run ends.' });
  return state;
}

interface Shown {
  state: CodeState;
  since: string;
  next: string;
}

/** What an operator reads in Temporal Web. */
function show(codeId: string, { state, since, next }: Shown): void {
  const about = `Code ${codeId} at a biller (table biller_codes)`;
  setCurrentDetails(detailsOf({ about, now: `The code is ${state}.`, since, next, updates: [] }));
}
