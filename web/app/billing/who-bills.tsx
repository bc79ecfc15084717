import type { Tracking } from '../../session/records';
import { useAccount } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { useListSearch } from '../../ui/filters';
import { billers, type Biller } from './ways';

/** Who takes the money; `another`: the merchant's own server tells of sales. */
export type Bills = Biller | 'another';
const choices: readonly Bills[] = [...billers, 'another'];

const saidKey = (workspaceId: string | undefined): string => `aps-who-bills-${workspaceId}`;

/** Who bills: what the address says, else the first biller that is connected, else what was said last, else Stripe. */
export function useWhoBills(tracking: Tracking | undefined): Bills {
  const { search } = useListSearch();
  const said = localStorage.getItem(saidKey(useAccount()?.workspaceId));
  const asked = choices.find((one) => one === search['billing']);
  const connected = tracking?.billers[0]?.biller;
  return asked ?? connected ?? choices.find((one) => one === said) ?? 'stripe';
}

export function WhoBills({ chosen }: { chosen: Bills }) {
  const { set } = useListSearch();
  const workspaceId = useAccount()?.workspaceId;
  const say = (billing: Bills): void => {
    // Whoever bills does so in both modes, and the address forgets it between them.
    localStorage.setItem(saidKey(workspaceId), billing);
    set({ billing });
  };
  return (
    <>
      <p aria-hidden="true">{words.whoBills}</p>
      <fieldset className="mode" role="radiogroup" aria-label={words.whoBills}>
        {choices.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="billing"
              value={one}
              checked={chosen === one}
              onChange={() => say(one)}
            />
            {text.billers[one]}
          </label>
        ))}
      </fieldset>
    </>
  );
}
