import { Link, useParams } from '@tanstack/react-router';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { sales as words } from '../../text/en/app/sales';
import { FormButton } from '../../ui/ask';
import { inWords, parseMoney } from '../../ui/format';
import { AmountField, Area, Field } from '../../ui/form';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, Facts, Money, When } from '../../ui/values';
import { refused } from '../../session/refused';
import { CreditedPartner } from './credited-partner';
import { Trace } from './sale-trace';
import type { Conversion } from '../../session/records';

export default function SalePage() {
  const { conversionId = '' } = useParams({ strict: false }) as Record<string, string>;
  const sale = useAnswer('conversions.get', { conversionId });
  return (
    <Page
      title={words.one}
      name={sale.data?.external_transaction_id}
      trail={[['/sales', words.title]]}
      beside={sale.data && <code>{sale.data.external_transaction_id}</code>}
      actions={sale.data && <Refund of={sale.data} />}
    >
      <Loaded query={sale}>
        {(one) => (
          <>
            <Facts of={factsOf(one)} />
            <Trace conversionId={one.id} currency={one.currency} earned={one.commission} />
            {one.currency !== null && <Refunds conversionId={one.id} currency={one.currency} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function factsOf(one: Conversion) {
  const { commission, attribution } = one;
  return [
    [
      words.credited,
      one.attributed ? <CreditedPartner key="to" of={one} /> : inWords(attribution.reason),
    ],
    [text.reason, attribution.explanation],
    [words.id, <code key="id">{one.external_transaction_id}</code>],
    [words.kind, inWords(one.event_type)],
    [text.amount, <Money key="a" cents={one.amount_cents} currency={one.currency} />],
    [words.refunded, <Money key="r" cents={one.refunded_amount_cents} currency={one.currency} />],
    [words.occurred, <When key="o" at={one.occurred_at ?? one.created_at} />],
    [
      words.customerId,
      one.customer_id && (
        <FilteredLink
          key="customer"
          to="/customers"
          search={{ customerId: one.customer_id, program: attribution.program_id ?? undefined }}
        >
          {one.customer_id}
        </FilteredLink>
      ),
    ],
    [words.clickId, attribution.click_id && <code key="click">{attribution.click_id}</code>],
    [words.promoCode, attribution.promo_code],
    [
      words.commission,
      commission && attribution.program_id && (
        <Link key="c" to={`/commissions/${attribution.program_id}/${commission.id}`}>
          <Badge status={commission.status} />{' '}
          <Money cents={commission.amount_cents} currency={commission.currency} />
        </Link>
      ),
    ],
  ] as const;
}

function Refund({ of: { id, currency, external_transaction_id } }: { of: Conversion }) {
  const refund = useChange('conversions.refund');
  // What cost nothing has nothing to give back.
  if (!useMay('member') || currency === null) return null;
  const submit = async ({
    amount = '',
    external_refund_id = '',
    reason,
  }: Record<string, string>) => {
    const cents = amount === '' ? undefined : parseMoney(amount, currency);
    if (amount !== '' && cents === undefined)
      throw refused('amount_cents', text.noAmount(currency));
    await refund.mutateAsync({
      ...{ conversionId: id, external_refund_id },
      ...(cents !== undefined && { amount_cents: cents }),
      ...(reason && { reason }),
    });
  };
  return (
    <FormButton
      label={words.refund}
      title={text.doTo(words.refund, external_transaction_id)}
      send={(values) => submit(values)}
    >
      <Field label={words.refundId} name="external_refund_id" />
      <AmountField
        label={text.amount}
        name="amount"
        currency={currency}
        hint={words.refundHint}
        field="amount_cents"
      />
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

function Refunds({ conversionId, currency }: { conversionId: string; currency: string }) {
  const refunds = useAnswer('conversions.listRefunds', { conversionId, limit: 100 });
  return (
    <Section title={words.refunds}>
      <Loaded query={refunds}>
        {({ data }) => (
          <Table
            caption={words.refunds}
            columns={[
              { title: text.created, cell: ({ created_at }) => <When at={created_at} /> },
              { title: words.refundId, cell: (row) => <code>{row.external_refund_id}</code> },
              { title: text.reason, cell: ({ reason }) => reason ?? text.nothing },
              {
                title: text.amount,
                isNumber: true,
                cell: ({ amount_cents }) => <Money cents={amount_cents} currency={currency} />,
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={words.noRefunds}
          />
        )}
      </Loaded>
    </Section>
  );
}
