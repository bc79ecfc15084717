import { useEffect, useState } from 'react';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { ConfirmAddress } from '../../account/confirm-address';
import { useAnswer, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { getStarted as words } from '../../text/en/app/get-started';
import { Loaded, Page, Problem } from '../../ui/page';
import { BillingStep } from '../billing/billing-step';
import { stateOf, useConnection } from '../billing/connection';
import { useWhoBills } from '../billing/who-bills';
import { Step } from '../../ui/step';
import { FirstClick, Snippet } from './first-click';
import { FirstPartner } from './first-partner';
import { FirstProgram, useAddPractice } from './first-program';
import { isTestSale, TestSale } from './first-sale';
import { GoLive, useLiveState } from './go-live';
import { NewKeys } from './new-keys';
import { sellsAt, useDemoShop, usePractice } from './practice';
import type { Program, Tracking } from '../../session/records';
import { useProgram } from '../use-program';

/** The time between two questions whether a step is done: "Done" within 3 s. */
const lookMs = 2_000;
/** The time between two questions whether what is done still is. */
const seldomMs = 15_000;

const trackingMs = (found: Tracking | undefined): number =>
  found?.lastClickAt && found.lastConversionAt ? seldomMs : lookMs;

export default function GetStartedPage() {
  const { programs, program } = useProgram();
  const tracking = useAnswer('workspace.getTracking', {}, trackingMs);
  const mayMove = useMay('admin');
  return (
    <Page
      title={words.title}
      actions={mayMove && program && <Link to="/move-in">{words.moveIn}</Link>}
    >
      <ConfirmAddress />
      <NewKeys />
      <Loaded query={programs}>
        {() => (
          <Loaded query={tracking}>
            {(found) => <Steps program={program} tracking={found} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

interface StepsProps {
  program: Program | undefined;
  tracking: Tracking;
}

function Steps({ program, tracking }: StepsProps) {
  const { partners, partner, real } = usePractice(program, 2 * lookMs);
  const invited = useIsInvited(program, real === undefined);
  const [checkedAt, setCheckedAt] = useState<number>();
  const live = useLiveState(lookMs);
  useOverviewOnceLive(Boolean(live.data?.tracking.lastClickAt));
  const { lastClickAt, lastConversionAt } = tracking;
  const waitsForSale = useSaleWait();
  const practice = program && partners.isSuccess && !partner && <AddPractice program={program} />;
  return (
    <ol className="steps">
      <Step title={words.program} isDone={program !== undefined}>
        {program ? <p>{program.name}</p> : <FirstProgram />}
      </Step>
      <Step title={words.snippet} isDone={lastClickAt !== null}>
        {program && (
          <Snippet
            {...{ program, partner, real, tracking }}
            onCheck={() => setCheckedAt(Date.now())}
          />
        )}
        {practice}
        <Later program={program} />
      </Step>
      <Step title={words.firstClick} isDone={lastClickAt !== null}>
        <FirstClick {...{ program, tracking, checkedAt }} />
      </Step>
      <Step title={words.testSale} isDone={lastConversionAt !== null} waitsFor={waitsForSale}>
        <Later program={program} />
        {program && partner && (
          <TestSale program={program} partner={partner} isDone={lastConversionAt !== null} />
        )}
        {practice}
        <Problem error={partners.error} />
      </Step>
      <Step
        title={words.partner}
        isDone={real !== undefined}
        waitsFor={invited && words.invitedState}
      >
        <Later program={program} />
        {program && (real ? <p>{real.partnerName}</p> : <FirstPartner program={program} />)}
      </Step>
      <PaymentsStep program={program} tracking={tracking} />
      <Step
        title={words.goLive}
        isDone={Boolean(live.data?.tracking.lastClickAt)}
        waitsFor={live.data?.hasProgram && words.live.waits}
      >
        <Loaded query={live}>
          {(found) => <GoLive program={program} live={found} tracking={tracking} />}
        </Loaded>
      </Step>
    </ol>
  );
}

/** A step that needs a programme says so until there is one. */
function Later({ program }: Pick<StepsProps, 'program'>) {
  return program ? null : <p className="fine">{words.afterProgram}</p>;
}

/** The words while a sale is waited for; in live mode nobody makes a sale to try. */
const useSaleWait = () => useMode() === 'live' && words.waitsForSale;

/** How sales come in: the biller that tells of them, or the merchant's own server. */
function PaymentsStep({ program, tracking }: StepsProps) {
  const shop = useDemoShop();
  const bills = useWhoBills(tracking);
  const connection = useConnection(bills === 'another' ? undefined : bills);
  const hasReported = useHasReported(bills === 'another');
  const [title, isDone] =
    bills === 'another'
      ? [words.ownServer, hasReported]
      : [text.billers[bills], connection.data ? stateOf(connection.data) === 'connected' : false];
  return (
    <Step title={title} isDone={isDone}>
      <BillingStep chosen={bills} tracking={tracking} />
      {bills === 'another' && sellsAt(program, shop) && <p>{words.shopReports}</p>}
    </Step>
  );
}

/** Whether a sale came that was not made here, by the step before. */
function useHasReported(isAsked: boolean): boolean {
  const sales = useAnswer('conversions.list', isAsked && { limit: 20 }, 2 * lookMs);
  const all = sales.data?.data ?? [];
  return all.some((sale) => !isTestSale(sale.external_transaction_id));
}

/** Whether somebody has an invite that they have not taken yet. */
function useIsInvited(program: Program | undefined, isAsked: boolean): boolean {
  const asked = program && isAsked && { programId: program.id, limit: 20 };
  const invites = useAnswer('partners.listInvites', asked || false);
  return invites.data?.data.some(({ status }) => status === 'pending') ?? false;
}

/** Who comes to the dashboard after all is done begins with what came of it. */
function useOverviewOnceLive(isLive: boolean): void {
  const navigate = useNavigate();
  const isFirst = useRouterState({ select: ({ location }) => location.state.__TSR_index === 0 });
  useEffect(() => {
    if (!isLive || !isFirst) return;
    const search = { mode: 'live' } as never;
    void navigate({ to: '/overview', search, replace: true });
  }, [isLive, isFirst, navigate]);
}

/** Where the programme was made without one, by the API or in another way. */
function AddPractice({ program }: { program: Program }) {
  const add = useAddPractice();
  const mode = useMode();
  const [error, setError] = useState<unknown>();
  if (!useMay('member') || mode === 'live') return <p>{words.needsPartner}</p>;
  return (
    <>
      <p>{words.practiceHint}</p>
      <button type="button" onClick={() => void add(program).catch(setError)}>
        {words.addPractice}
      </button>
      <Problem error={error} />
    </>
  );
}
