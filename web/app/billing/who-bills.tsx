import type { Tracking } from '../../session/records';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { useListSearch } from '../../ui/filters';
import { billers, type Biller } from './ways';

/** Who takes the money; `another`: the merchant's own server tells of sales. */
export type Bills = Biller | 'another';
const choices: readonly Bills[] = [...billers, 'another'];

/** As the address says, else the first that is connected, else Stripe. */
export function useWhoBills(tracking: Tracking | undefined): Bills {
  const { search } = useListSearch();
  const asked = choices.find((one) => one === search['billing']);
  return asked ?? tracking?.billers[0]?.biller ?? 'stripe';
}

export function WhoBills({ chosen }: { chosen: Bills }) {
  const { set } = useListSearch();
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
              onChange={() => set({ billing: one })}
            />
            {text.billers[one]}
          </label>
        ))}
      </fieldset>
    </>
  );
}
