import { useParams } from '@tanstack/react-router';
import type { Fields } from '../../session/operations';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { books as booksWords } from '../../text/en/app/books';
import { commissions as commissionsWords } from '../../text/en/app/commissions';
import { partners as words } from '../../text/en/app/partners';
import { programme as programmeWords } from '../../text/en/app/programme';
import { TypedButton, FormButton, ActButton } from '../../ui/ask';
import { formatCount, parseMoney } from '../../ui/format';
import { AmountField, Area, Check, Choice } from '../../ui/form';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Amounts, Avatar, Badge, Copyable, Facts, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import { refused } from '../../session/refused';
import { useGroups } from '../use-groups';
import { Application } from './application';
import { Codes } from './codes';
import { Erasure } from './erasure';
import { Chart, Customers, LatestCommissions } from './partner-results';
import type { Balance, Participant } from '../../session/records';

/** What names one partner of a programme. */
type Key = Fields<'partners.get'>;

export default function PartnerPage() {
  const params = useParams({ strict: false }) as Record<string, string>;
  const { programId = '', participantId = '' } = params;
  const key = { programId, participantId };
  const program = useAnswer('programmes.get', { programId });
  const partner = useAnswer('partners.get', key);
  return (
    <Page
      title={partner.data?.partnerName ?? text.partner}
      trail={[['/partners', words.title]]}
      sign={partner.data && <Avatar name={partner.data.partnerName} isLarge />}
      beside={
        partner.data && <Badge status={partner.data.erasedAt ? 'erased' : partner.data.status} />
      }
    >
      <Loaded query={partner}>
        {(one) => (
          <>
            <div className="selected">
              {one.erasedAt === null && (
                <>
                  {one.status === 'pending' && <Application of={one} />}
                  {program.data && <AdjustBalance of={one} currency={program.data.currency} />}
                  <Standing partner={key} of={one} />
                  <Move partner={key} of={one} />
                  <Erase of={key} name={one.partnerName} />
                </>
              )}
              <FilteredLink to="/commissions" search={{ participantId: one.id }}>
                {commissionsWords.title}
              </FilteredLink>
              <FilteredLink
                to="/payouts/books/ledger"
                search={{ program: programId, participantId: one.id }}
              >
                {booksWords.ledger}
              </FilteredLink>
            </div>
            {one.erasedAt !== null && <Erasure of={one} />}
            <Facts of={factsOf(one)} />
            <Chart of={one} />
            <Balances of={key} />
            <div className="charts">
              <LatestCommissions of={one} />
              <Customers of={one} />
            </div>
            <Codes of={one} currency={program.data?.currency} />
            <Links of={key} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function paidBy({ paidBy: way }: Participant): string {
  if (!way) return words.notSaid;
  return way.confirmed ? way.label : words.toldByImport(way.label);
}

function factsOf(one: Participant) {
  return [
    [text.email, one.partnerEmail],
    [programmeWords.group, one.groupName],
    [words.claimed, one.claimed ? text.yes : words.notClaimed],
    [words.paidBy, paidBy(one)],
    [words.statusReason, one.statusReason],
    [words.message, one.message],
    [words.since, <When key="since" at={one.createdAt} />],
    [words.clicks, formatCount(one.clicks)],
    [words.sales, formatCount(one.conversions)],
    [words.revenue, <Amounts key="revenue" of={one.revenue} />],
    [words.earned, <Amounts key="earned" of={one.commissions} />],
  ] as const;
}

function Balances({ of }: { of: Key }) {
  const balance = useAnswer('payouts.getParticipantBalance', of);
  const amount = (key: Exclude<keyof Balance, 'currency'>) => ({
    title: words.balances[key],
    isNumber: true,
    cell: (row: Balance) => <Money cents={row[key]} currency={row.currency} />,
  });
  return (
    <Section title={words.balance}>
      <Loaded query={balance}>
        {({ balances }) => (
          <Table
            caption={words.balance}
            columns={[
              { title: words.currency, cell: ({ currency }) => currency.toUpperCase() },
              amount('pendingCents'),
              amount('approvedCents'),
              amount('inPayoutCents'),
              amount('paidCents'),
              amount('debtCents'),
            ]}
            rows={balances}
            rowKey={({ currency }) => currency}
            empty={words.noBalance}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** A bonus, a correction, or a debt that is forgiven. */
function AdjustBalance({ of, currency }: { of: Participant; currency: string }) {
  const change = useChange('commissions.adjustBalance');
  if (!useMay('admin')) return null;
  return (
    <FormButton
      label={words.adjust}
      title={text.doTo(words.adjust, of.partnerName)}
      send={async ({ amount = '', reason = '' }) => {
        const amountCents = parseMoney(amount, currency);
        if (amountCents === undefined) throw refused('amountCents', text.noAmount(currency));
        const { programId, id: participantId } = of;
        await change.mutateAsync({ programId, participantId, amountCents, currency, reason });
      }}
    >
      <AmountField
        label={text.amount}
        name="amount"
        currency={currency}
        hint={words.amountHint(currency.toUpperCase())}
        field="amountCents"
      />
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

interface OfPartner {
  partner: Key;
  of: Participant;
}

function Standing({ partner, of: { status, partnerName } }: OfPartner) {
  const change = useChange('partners.suspend');
  if (!useMay('member')) return null;
  if (status === 'suspended' || status === 'rejected') {
    const action = status === 'suspended' ? 'reinstate' : 'approve';
    return <ActButton label={words[action]} call={`partners.${action}`} fields={partner} />;
  }
  if (status !== 'approved') return null;
  return (
    <FormButton
      label={words.suspend}
      title={text.doTo(words.suspend, partnerName)}
      send={({ reason = '', rejectPending }) =>
        change.mutateAsync({ ...partner, reason, rejectPending: rejectPending !== undefined })
      }
    >
      <Area label={text.reason} name="reason" />
      <Check label={words.rejectPending} name="rejectPending" />
    </FormButton>
  );
}

/** Moves the partner to another group; payments that arrive from now on earn by its terms. */
function Move({ partner, of }: OfPartner) {
  const change = useChange('partners.move');
  const groups = useGroups(of.programId);
  if (!useMay('member') || !groups.data || groups.data.data.length < 2) return null;
  return (
    <FormButton
      label={words.move}
      send={({ groupId = '', reason }) =>
        change.mutateAsync({ ...partner, groupId, ...(reason && { reason }) })
      }
    >
      <p>{words.moveHint}</p>
      <Choice
        label={programmeWords.group}
        name="groupId"
        defaultValue={of.groupId}
        options={groups.data.data.map(({ id, name }) => [id, name] as const)}
      />
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

/** Two steps: what goes is said first, then the partner's name is typed. */
function Erase({ of, name }: { of: Key; name: string }) {
  const erase = useChange('erasure.eraseParticipant');
  if (!useMay('admin')) return null;
  return (
    <>
      <ExportButton call="erasure.exportParticipant" fields={of} label={words.exportData} />
      <TypedButton
        label={words.erase}
        title={text.doTo(words.erase, name)}
        submit={words.eraseForEver}
        expected={name}
        ask={words.typeName(name)}
        hint={words.eraseWhat}
        send={() => erase.mutateAsync({ ...of, confirmation: 'DELETE' })}
      />
    </>
  );
}

function Links({ of }: { of: Key }) {
  const links = useAnswer('partners.listLinks', { ...of, limit: 100 });
  return (
    <Section title={words.links}>
      <Loaded query={links}>
        {({ data }) => (
          <Table
            caption={words.links}
            columns={[
              { title: text.name, cell: ({ name }) => name ?? text.nothing },
              { title: words.url, cell: ({ url }) => <Copyable value={url} /> },
              { title: words.clicks, isNumber: true, cell: ({ clicks }) => formatCount(clicks) },
              { title: words.sales, isNumber: true, cell: (row) => formatCount(row.conversions) },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={words.noLinks}
          />
        )}
      </Loaded>
    </Section>
  );
}
