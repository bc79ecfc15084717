import { useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { TypedButton, FormButton, ActButton } from '../../ui/ask';
import { formatCount, parseMoney } from '../../ui/format';
import { AmountField, Area, Check, Choice } from '../../ui/form';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page, Section } from '../../ui/page';
import { Table, type Paged } from '../../ui/table';
import { Amounts, Avatar, Badge, Copyable, Facts, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import { refused } from '../../session/refused';
import { useGroups } from '../programme/groups';
import { Application } from './application';
import { Codes } from './codes';
import { Erasure } from './erasure';
import { Chart, Customers, LatestCommissions } from './partner-results';
import type { Balance, Participant, Program, TrackingLinkDto } from '../../session/records';

const words = text.app.partners;

export default function PartnerPage() {
  const { programId, participantId } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/programs/${programId}/partners/${participantId}`;
  const program = useApi<Program>(`/api/v1/programs/${programId}`);
  const partner = useApi<Participant>(path);
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
                  {program.data && <AdjustBalance path={path} currency={program.data.currency} />}
                  <Standing path={path} of={one} />
                  <Move path={path} of={one} />
                  <Erase path={path} name={one.partnerName} />
                </>
              )}
              <FilteredLink to="/commissions" search={{ participantId: one.id }}>
                {text.app.commissions.title}
              </FilteredLink>
              <FilteredLink
                to="/payouts/books/ledger"
                search={{ program: programId, participantId: one.id }}
              >
                {text.app.books.ledger}
              </FilteredLink>
            </div>
            {one.erasedAt !== null && <Erasure of={one} />}
            <Facts of={factsOf(one)} />
            <Chart of={one} />
            <Balances path={path} />
            <div className="charts">
              <LatestCommissions of={one} />
              <Customers of={one} />
            </div>
            <Codes path={path} of={one} currency={program.data?.currency} />
            <Links path={path} />
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
    [text.app.programme.group, one.groupName],
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

function Balances({ path }: { path: string }) {
  const balance = useApi<{ balances: Balance[] }>(`${path}/balance`);
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
function AdjustBalance({ path, currency }: { path: string; currency: string }) {
  const change = useChange();
  if (!useMay('admin')) return null;
  return (
    <FormButton
      label={words.adjust}
      send={async ({ amount = '', reason }) => {
        const amountCents = parseMoney(amount, currency);
        if (amountCents === undefined) throw refused('amountCents', text.noAmount(currency));
        const body = { amountCents, currency, reason };
        await change.mutateAsync({ path: `${path}/adjustments`, method: 'POST', body });
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

function Standing({ path, of: { status } }: { path: string; of: Participant }) {
  const change = useChange();
  if (!useMay('member')) return null;
  if (status === 'suspended' || status === 'rejected') {
    const action = status === 'suspended' ? 'reinstate' : 'approve';
    return (
      <ActButton
        label={words[action]}
        call={{ path: `${path}/${action}`, method: 'PATCH', body: {} }}
      />
    );
  }
  if (status !== 'approved') return null;
  return (
    <FormButton
      label={words.suspend}
      send={({ reason, rejectPending }) =>
        change.mutateAsync({
          path: `${path}/suspend`,
          method: 'PATCH',
          body: { reason, rejectPending: rejectPending !== undefined },
        })
      }
    >
      <Area label={text.reason} name="reason" />
      <Check label={words.rejectPending} name="rejectPending" />
    </FormButton>
  );
}

/** To another group; payments that arrive from now on earn by its terms. */
function Move({ path, of }: { path: string; of: Participant }) {
  const change = useChange();
  const groups = useGroups(of.programId);
  if (!useMay('member') || !groups.data || groups.data.data.length < 2) return null;
  return (
    <FormButton
      label={words.move}
      send={({ groupId, reason }) =>
        change.mutateAsync({
          path: `${path}/group`,
          method: 'PATCH',
          body: { groupId, ...(reason && { reason }) },
        })
      }
    >
      <p>{words.moveHint}</p>
      <Choice
        label={text.app.programme.group}
        name="groupId"
        defaultValue={of.groupId}
        options={groups.data.data.map(({ id, name }) => [id, name] as const)}
      />
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

/** Two steps: what goes is said first, then the partner's name is typed. */
function Erase({ path, name }: { path: string; name: string }) {
  const change = useChange();
  if (!useMay('admin')) return null;
  return (
    <>
      <ExportButton path={`${path}/export`} method="POST" label={words.exportData} />
      <TypedButton
        label={words.erase}
        submit={words.eraseForEver}
        expected={name}
        ask={words.typeName(name)}
        hint={words.eraseWhat}
        send={() =>
          change.mutateAsync({
            path: `${path}/erase`,
            method: 'POST',
            body: { confirmation: 'DELETE' },
          })
        }
      />
    </>
  );
}

function Links({ path }: { path: string }) {
  const links = useApi<Paged<TrackingLinkDto>>(`${path}/links`, { limit: 100 });
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
