import { useAnswer, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { programme as words } from '../../text/en/app/programme';
import { ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { formatMoney } from '../../ui/format';
import { Loaded } from '../../ui/page';
import { useListSearch } from '../../ui/filters';
import { Badge, Copyable, Facts } from '../../ui/values';
import { Bonuses } from './bonuses';
import { Rules } from './commission-rules';
import { Flags, Fraud } from './fraud';
import { Groups } from './groups';
import { Tiers } from './tiers';
import { OfProgram } from '../of-program';
import { ProgramForm } from './program-form';
import { termsInWords } from '../../ui/terms';
import type { Program } from '../../session/records';

export default function ProgrammePage() {
  return (
    <OfProgram title={words.title} actions={(program) => <Actions program={program} />}>
      {(program) => (
        <>
          <TermsOf program={program} />
          <Rules program={program} />
          <Groups program={program} />
          <Tiers program={program} />
          <Bonuses program={program} />
          <Fraud key={program.id} program={program} />
          <Flags program={program} />
        </>
      )}
    </OfProgram>
  );
}

function TermsOf({ program }: { program: Program }) {
  const { currency, reviewAboveCents, acceptedCurrencies } = program;
  const accepted = acceptedCurrencies.join(', ').toUpperCase();
  return (
    <Facts
      of={[
        [text.name, program.name],
        [words.website, program.websiteUrl],
        [words.description, program.description ?? words.noDescription],
        [text.status, <Badge key="status" status={program.status} />],
        [words.commission, termsInWords(program.commission, currency)],
        [words.window, words.days(program.attributionWindowDays)],
        [words.hold, words.days(program.holdDays)],
        [words.autoApprove, program.autoApprove ? text.yes : text.no],
        [
          words.reviewAbove,
          reviewAboveCents === null ? words.noReview : formatMoney(reviewAboveCents, currency),
        ],
        [words.minPayout, formatMoney(program.minPayoutCents, currency)],
        [words.acceptedCurrencies, accepted || words.noFurther],
        [words.publicApplications, program.publicApplications ? text.yes : text.no],
        [words.approvalMode, words.approvalModes[program.approvalMode]],
        [words.salesFrom, words.salesSources[program.salesFrom]],
        [words.link, <Copyable key="link" value={joinUrl(program)} />],
      ]}
    />
  );
}

/** Partners are in live mode unless their address names another. */
function joinUrl({ id, mode }: Program): string {
  const search = mode === 'test' ? '?mode=test' : '';
  return `${window.location.origin}/portal/join/${id}${search}`;
}

function Actions({ program }: { program: Program }) {
  const { set } = useListSearch();
  if (!useMay('admin')) return null;
  return (
    <>
      <DialogButton label={words.new}>
        {(close) => (
          <ProgramForm
            onDone={({ id }) => {
              set({ program: id });
              close();
            }}
          />
        )}
      </DialogButton>
      {program.status !== 'archived' && (
        <>
          <DialogButton label={words.change} title={text.doTo(words.change, program.name)}>
            {(close) => <Change id={program.id} close={close} />}
          </DialogButton>
          <ConfirmButton
            label={words.archive}
            title={text.doTo(words.archive, program.name)}
            className="danger"
            call="programmes.archive"
            fields={{ programId: program.id }}
          >
            <p>{words.archiveHint}</p>
          </ConfirmButton>
        </>
      )}
    </>
  );
}

/** Begins with what the programme is now. */
function Change({ id, close }: { id: string; close: () => void }) {
  const program = useAnswer('programmes.get', { programId: id });
  return <Loaded query={program}>{(one) => <ProgramForm program={one} onDone={close} />}</Loaded>;
}
