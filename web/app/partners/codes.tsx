import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { partners as words } from '../../text/en/app/partners';
import { FormButton, ActButton } from '../../ui/ask';
import { discountInWords } from '../../ui/discount';
import { Field } from '../../ui/plain-form';
import { Loaded, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, Copyable, Facts } from '../../ui/values';
import { SimilarCodes } from './application';
import { NewCode } from './new-code';
import type { Fields } from '../../session/operations';
import type { Participant, PromoCodeDto } from '../../session/records';

/** The time between two questions for a code that a biller has not answered for. */
const lookMs = 3_000;

interface CodesProps {
  of: Participant;
  /** The programme's currency, in which amounts off are. */
  currency: string | undefined;
}

/** The code that a partner's links carry, and those that buyers type. */
export function Codes({ of, currency }: CodesProps) {
  const { programId, id, referralCode } = of;
  const may = useMay('member');
  const partner = { programId, participantId: id };
  const codes = useAnswer('partners.listPromoCodes', { ...partner, limit: 100 }, (found) =>
    found?.data.some(isUnderWay) ? lookMs : false,
  );
  return (
    <Section
      title={words.codes}
      actions={
        may && (
          <>
            {currency && <NewCode of={partner} currency={currency} />}
            <ReferralCode of={partner} referralCode={referralCode} />
          </>
        )
      }
    >
      <Facts of={[[words.referralCode, referralCode && <Copyable value={referralCode} />]]} />
      {of.status !== 'pending' && <SimilarCodes of={of} />}
      <Loaded query={codes}>
        {({ data }) => (
          <Table
            caption={words.codes}
            columns={[
              { title: words.code, cell: ({ code }) => <code>{code}</code> },
              { title: text.discounts.one, cell: ({ discount }) => discountInWords(discount) },
              { title: words.worksWhere, cell: (code) => <Places of={code} /> },
              {
                title: text.actions,
                cell: (code) => (may ? <Acts partner={partner} of={code} /> : text.nothing),
              },
            ]}
            rows={data}
            rowKey={({ code }) => code}
            empty={words.noCodes}
          />
        )}
      </Loaded>
    </Section>
  );
}

const isUnderWay = ({ billers }: PromoCodeDto): boolean =>
  billers.some(({ status }) => status === 'pending');

/** The state of a code at each biller: whether it works there, and why not. */
function Places({ of: { discount, billers } }: { of: PromoCodeDto }) {
  if (!discount) return words.worksByHand;
  if (billers.length === 0) return words.worksNowhere;
  return (
    <ul className="plain">
      {billers.map(({ biller, status, message }) => (
        <li key={biller}>
          {text.billers[biller]} <Badge status={status} of={words.worksStates[status]} />
          {message && <p className="hint">{message}</p>}
        </li>
      ))}
    </ul>
  );
}

interface ActsProps {
  partner: Fields<'partners.get'>;
  of: PromoCodeDto;
}

function Acts({ partner, of: { code, discount } }: ActsProps) {
  const fields = { ...partner, code };
  return (
    <span className="inline-actions">
      {discount && (
        <ActButton
          label={words.sync}
          name={words.syncCode(code)}
          call="partners.syncPromoCode"
          fields={fields}
        />
      )}
      <ActButton
        label="×"
        name={words.removeCode(code)}
        className="quiet"
        call="partners.removePromoCode"
        fields={fields}
      />
    </span>
  );
}

interface ReferralCodeProps {
  of: Fields<'partners.get'>;
  referralCode: string | null;
}

function ReferralCode({ of, referralCode }: ReferralCodeProps) {
  const change = useChange('partners.changeReferralCode');
  return (
    <FormButton
      label={words.changeReferralCode}
      submit={text.save}
      send={({ code = '' }) => change.mutateAsync({ ...of, referralCode: code })}
    >
      <p>{words.oldCodeStays}</p>
      <Field
        label={words.referralCode}
        name="code"
        defaultValue={referralCode ?? ''}
        field="referralCode"
      />
    </FormButton>
  );
}
