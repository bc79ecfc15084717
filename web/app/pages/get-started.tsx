import { useState, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useApi, useChange, useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { parseMoney } from '../../ui/format';
import { Field, Form } from '../../ui/form';
import { Page, Problem } from '../../ui/page';
import type { Paged } from '../../ui/table';
import { Copyable } from '../../ui/values';
import { refused } from '../../session/refused';
import type { Conversion, Participant, Program } from '../types';
import { recommendedRules } from '../fraud-rules';
import { useProgram } from '../use-program';
import { NewKeys } from '../new-keys';

const words = text.app.getStarted;

/** How often what a step waits for is looked at: "Done" within 3 s. */
const lookMs = 2_000;

interface Tracking {
  script: { url: string; integrity: string };
  lastClickAt: string | null;
  lastUnknownRef: { ref: string; at: string } | null;
  lastConversionAt: string | null;
  lastStripeEventAt: string | null;
}

export default function GetStartedPage() {
  const { program } = useProgram();
  const tracking = useApi<Tracking>('/api/v1/workspace/tracking', undefined, lookMs);
  const partners = useApi<Paged<Participant>>(
    program && `/api/v1/programs/${program.id}/partners`,
    { limit: 1 },
    lookMs,
  );
  const stripe = useApi<{ status: string }>('/api/v1/workspace/stripe');
  const partner = partners.data?.data[0];
  return (
    <Page title={words.title}>
      <NewKeys />
      <ol className="steps">
        <Step title={words.program} isDone={program !== undefined}>
          {program ? <p>{program.name}</p> : <CreateProgram />}
        </Step>
        <Step title={words.snippet} isDone={Boolean(tracking.data?.lastClickAt)}>
          {program && <Snippet program={program} partner={partner} tracking={tracking.data} />}
        </Step>
        <Step title={words.firstClick} isDone={Boolean(tracking.data?.lastClickAt)}>
          <p>{words.firstClickHint}</p>
          {tracking.data?.lastUnknownRef && (
            <p>{words.unknownRef(tracking.data.lastUnknownRef.ref)}</p>
          )}
        </Step>
        <Step title={words.testSale} isDone={Boolean(tracking.data?.lastConversionAt)}>
          {program && partner && <TestSale program={program} partner={partner} />}
        </Step>
        <Step title={words.partner} isDone={partner !== undefined}>
          {program && (partner ? <p>{partner.partnerName}</p> : <FirstPartner program={program} />)}
        </Step>
        <Step title={words.stripe} isDone={stripe.data?.status === 'connected'}>
          <p>
            {words.stripeHint} <Link to="/developers">{text.app.nav.developers}</Link>
          </p>
        </Step>
      </ol>
    </Page>
  );
}

function Step({
  title,
  isDone,
  children,
}: {
  title: string;
  isDone: boolean;
  children: ReactNode;
}) {
  return (
    <li>
      <section aria-label={title}>
        <header className="section-head">
          <h2>{title}</h2>
          <span role="status" className={isDone ? 'badge good' : 'badge waiting'}>
            {isDone ? words.done : words.open}
          </span>
        </header>
        {children}
      </section>
    </li>
  );
}

function CreateProgram() {
  const change = useChange<Program>();
  if (!useMay('admin')) return <p>{text.notAllowed}</p>;
  const submit = async ({ name, websiteUrl, commission = '' }: Record<string, string>) => {
    // Hundredths of a percent are basis points, as cents are hundredths of a dollar.
    const rateBps = parseMoney(commission.replace('%', ''), 'usd');
    if (rateBps === undefined) throw refused('commission', words.noPercent);
    const body = { name, websiteUrl, commission: { type: 'percentage', rateBps } };
    const { id } = await change.mutateAsync({ path: '/api/v1/programs', method: 'POST', body });
    const rules = { rules: recommendedRules };
    await change.mutateAsync({
      path: `/api/v1/programs/${id}/fraud-rules`,
      method: 'PUT',
      body: rules,
    });
  };
  return (
    <Form submit={words.createProgram} onSubmit={submit}>
      {(problem) => (
        <>
          <Field label={words.programName} name="name" problem={problem('name')} />
          <Field
            label={words.website}
            name="websiteUrl"
            type="url"
            placeholder="https://"
            problem={problem('websiteUrl')}
          />
          <Field
            label={words.commission}
            name="commission"
            inputMode="decimal"
            defaultValue="20"
            hint={words.commissionHint}
            problem={problem('commission')}
          />
        </>
      )}
    </Form>
  );
}

interface SnippetProps {
  program: Program;
  partner: Participant | undefined;
  tracking: Tracking | undefined;
}

interface KeyRow {
  kind: string;
  mode: string;
  key?: string;
  revokedAt: string | null;
}

function Snippet({ program, partner, tracking }: SnippetProps) {
  const mode = useMode();
  const keys = useApi<Paged<KeyRow>>('/api/v1/workspace/api-keys', { limit: 100 });
  const key = keys.data?.data.find(
    (one) => one.kind === 'public' && one.mode === mode && one.revokedAt === null,
  )?.key;
  const source = tracking?.script.url ?? `${window.location.origin}/v1/selgeo.js`;
  return (
    <>
      <p>{words.snippetHint}</p>
      {key && (
        <Copyable
          value={`<script async src="${source}" data-merchant="${key}" data-keep></script>`}
        />
      )}
      {partner?.referralCode && (
        <p>
          <a href={practiceUrl(program, partner.referralCode)} target="_blank" rel="noreferrer">
            {words.checkPage}
          </a>
        </p>
      )}
    </>
  );
}

function practiceUrl({ websiteUrl }: Program, referralCode: string): string {
  const url = new URL(websiteUrl);
  url.searchParams.set('ref', referralCode);
  return url.href;
}

/** The answer carries the link, so that one can play the partner in another window. */
function FirstPartner({ program }: { program: Program }) {
  const [inviteUrl, setInviteUrl] = useState<string>();
  const change = useChange<{ inviteUrl: string }>((invite) => setInviteUrl(invite.inviteUrl));
  if (!useMay('member')) return <p>{text.notAllowed}</p>;
  const path = `/api/v1/programs/${program.id}/invites`;
  if (inviteUrl !== undefined) {
    return (
      <>
        <p>{words.invited}</p>
        <Copyable value={inviteUrl} />
      </>
    );
  }
  return (
    <Form
      submit={text.app.partners.invite}
      onSubmit={({ email, name }) =>
        change.mutateAsync({ path, method: 'POST', body: { email, ...(name && { name }) } })
      }
    >
      {(problem) => (
        <>
          <p>{words.partnerHint}</p>
          <Field label={text.name} name="name" problem={problem('name')} />
          <Field label={text.email} name="email" type="email" problem={problem('email')} />
        </>
      )}
    </Form>
  );
}

function TestSale({ program, partner }: { program: Program; partner: Participant }) {
  const session = useSession();
  const mode = useMode();
  const [error, setError] = useState<unknown>();
  const [sale, setSale] = useState<Conversion>();
  const change = useChange<Conversion>(setSale);
  if (mode === 'live') return <p>{words.testOnly}</p>;
  const make = async (): Promise<void> => {
    await change.mutateAsync({
      path: '/api/v1/conversions',
      method: 'POST',
      body: {
        external_transaction_id: `test-sale-${Date.now()}`,
        event_type: 'purchase',
        amount_cents: 4900,
        currency: program.currency,
        promo_code: partner.promoCodes[0] ?? (await addCode()),
      },
    });
  };
  /** A sale is credited by a click or a code: without either the partner gets a code. */
  const addCode = async (): Promise<string> => {
    const path = `/api/v1/programs/${program.id}/partners/${partner.id}/promo-codes`;
    const code = `TEST-${partner.id.slice(-6).toUpperCase()}`;
    await session.call(path, { method: 'POST', body: { code }, mode });
    return code;
  };
  return (
    <>
      <button
        type="button"
        className="primary"
        disabled={change.isPending}
        onClick={() => void make().catch(setError)}
      >
        {words.makeTestSale}
      </button>
      <Problem error={error} />
      {sale?.commission && (
        <p role="status">
          {sale.attribution.explanation}{' '}
          <Link to={`/commissions/${sale.attribution.program_id}/${sale.commission.id}`}>
            {words.seeCommission}
          </Link>
        </p>
      )}
    </>
  );
}
