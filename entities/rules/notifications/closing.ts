import { money } from '../values/money-words';
import type { NotificationFacts } from './facts';

/** What partners are told of a programme whose workspace ends on `day`, or does not any more. */
export function closingText(
  facts: NotificationFacts,
  { program, day }: { program: string; day: string },
): { title: string; body: string } {
  const left = moneyLeft(facts);
  if (facts.kind === 'reopened') {
    const body = `The end on ${day} is taken back, and everything goes on.${left}`;
    return { title: `${program} will not be closed`, body };
  }
  const ask = facts.amounts?.length ? ' Ask the programme to pay it before that day.' : '';
  return {
    title: `${program} will be closed`,
    body: `On ${day} the programme ends and its data is deleted.${left}${ask} It may still be taken back; then you are told.`,
  };
}

/** What a partner waits for, as a sentence that follows another, or nothing. */
function moneyLeft({ amounts = [], pending = [] }: NotificationFacts): string {
  const sums = (of: typeof amounts): string => of.map(money).join(' and ');
  const parts = [
    ...(amounts.length > 0 ? [`${sums(amounts)} is owed to you`] : []),
    ...(pending.length > 0 ? [`${sums(pending)} is pending`] : []),
  ];
  return parts.length > 0 ? ` ${parts.join(', and ')}.` : '';
}
