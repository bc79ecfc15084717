import type { OpenProgram, PartnerTermsDto } from '../session/records';
import { text } from '../text/en';
import { programme as words } from '../text/en/app/programme';
import { programmes as programmesWords } from '../text/en/portal/programmes';
import { formatDay, formatMoney } from '../ui/format';
import { figureInWords } from '../ui/figures';
import { earningInWords } from '../ui/terms';
import { Facts } from '../ui/values';

type Tier = NonNullable<PartnerTermsDto['tier']>;

interface TermsProps {
  of: OpenProgram & Partial<Omit<PartnerTermsDto, keyof OpenProgram>>;
}

/** What anybody may know of a programme; of one's own also the rules that name one. */
export function ProgramTerms({ of }: TermsProps) {
  const { commission, currency, minPayoutCents, tier, rules = [], bonuses = [] } = of;
  const months = commission.recurringMonths;
  const renewals = months === null ? words.forEver : words.forMonths(months);
  return (
    <>
      <Facts
        of={[
          [text.name, of.name],
          // The name that the default group is made with tells nobody anything.
          ...(of.group.name === 'Default' ? [] : [[words.group, of.group.name] as const]),
          [words.website, of.websiteUrl],
          [words.description, of.description],
          [words.commission, earningInWords(commission, currency)],
          [words.renewals, commission.recurring ? renewals : words.renewalKinds.none],
          [programmesWords.window, words.days(of.attributionWindowDays)],
          [programmesWords.hold, words.days(of.holdDays)],
          ...(minPayoutCents === undefined
            ? []
            : [[words.minPayout, formatMoney(minPayoutCents, currency)] as const]),
          ...(tier?.next ? [[programmesWords.tier, progress(tier, currency)] as const] : []),
        ]}
      />
      {bonuses.length > 0 && <Bonuses of={bonuses} currency={currency} />}
      {rules.length > 0 && (
        <>
          <h3>{programmesWords.rules}</h3>
          <p className="fine">{programmesWords.rulesHint}</p>
          <ol className="story">
            {rules.map((rule, index) => (
              <li key={`${index}${rule.name}`}>
                <b>{rule.name}</b>: {rule.words}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface BonusesProps {
  of: PartnerTermsDto['bonuses'];
  currency: string;
}

function Bonuses({ of, currency }: BonusesProps) {
  const { bonuses, bonus, bonusUntil, bonusEarned } = programmesWords;
  return (
    <>
      <h3>{bonuses}</h3>
      <ol className="story">
        {of.map(({ name, metric, current, atLeast, amountCents, until, earned, ...one }, index) => {
          const sum = formatMoney(amountCents, one.currency);
          const [now, needed] = [current, atLeast].map((n) => figureInWords(metric, n, currency));
          return (
            <li key={`${index}${name}`}>
              <b>{name}</b>: {earned ? bonusEarned(sum) : bonus(sum, now ?? '', needed ?? '')}
              {until && !earned && ` ${bonusUntil(formatDay(until))}`}
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** `3 customers of 10 customers to Gold`. */
function progress({ metric, current, next }: Tier, currency: string): string {
  const figure = (count: number): string => figureInWords(metric, count, currency);
  return programmesWords.progress(
    figure(current),
    figure(next?.atLeast ?? 0),
    next?.groupName ?? '',
  );
}
