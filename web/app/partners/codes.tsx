import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { FormButton, ActButton } from '../../ui/ask';
import { discountInWords } from '../../ui/discount';
import { Field } from '../../ui/plain-form';
import { Loaded, Section } from '../../ui/page';
import { Table, type Paged } from '../../ui/table';
import { Badge, Copyable, Facts } from '../../ui/values';
import { SimilarCodes } from './application';
import { NewCode } from './new-code';
import type { Participant, PromoCodeDto } from '../../session/records';

const words = text.app.partners;

/** How often a code that a biller has not answered for is looked at. */
const lookMs = 3_000;

interface CodesProps {
  path: string;
  of: Participant;
  /** Of the programme: amounts off are of it. */
  currency: string | undefined;
}

/** The code that a partner's links carry, and those that buyers type. */
export function Codes({ path, of, currency }: CodesProps) {
  const { referralCode } = of;
  const may = useMay('member');
  const codes = useApi<Paged<PromoCodeDto>>(`${path}/promo-codes`, { limit: 100 }, (found) =>
    found?.data.some(isUnderWay) ? lookMs : false,
  );
  return (
    <Section
      title={words.codes}
      actions={
        may && (
          <>
            {currency && <NewCode path={path} currency={currency} />}
            <ReferralCode path={path} referralCode={referralCode} />
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
                cell: (code) => (may ? <Acts path={path} of={code} /> : text.nothing),
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

/** At each biller: whether it works there, and why not. */
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

function Acts({ path, of: { code, discount } }: { path: string; of: PromoCodeDto }) {
  const own = `${path}/promo-codes/${encodeURIComponent(code)}`;
  return (
    <span className="inline-actions">
      {discount && (
        <ActButton
          label={words.sync}
          name={words.syncCode(code)}
          call={{ path: `${own}/sync`, method: 'POST', body: {} }}
        />
      )}
      <ActButton
        label="×"
        name={words.removeCode(code)}
        className="quiet"
        call={{ path: own, method: 'DELETE' }}
      />
    </span>
  );
}

function ReferralCode({ path, referralCode }: { path: string; referralCode: string | null }) {
  const change = useChange();
  return (
    <FormButton
      label={words.changeReferralCode}
      submit={text.save}
      send={({ code }) =>
        change.mutateAsync({
          path: `${path}/referral-code`,
          method: 'PATCH',
          body: { referralCode: code },
        })
      }
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
