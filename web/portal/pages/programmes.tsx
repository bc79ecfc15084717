import { useAnswer, useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { nav as navWords } from '../../text/en/portal/nav';
import { programmes as words } from '../../text/en/portal/programmes';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Page, Problem } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge, Long } from '../../ui/values';
import { useOwnPrograms } from '../own-programs';
import { ProgramTerms } from '../program-terms';

export default function ProgrammesPage() {
  const programs = useOwnPrograms();
  return (
    <Page title={navWords.programmes}>
      <Loaded query={programs}>
        {({ data }) => (
          <Table
            caption={navWords.programmes}
            columns={[
              { title: text.program, cell: ({ programName }) => <Long of={programName} /> },
              { title: text.status, cell: ({ status }) => <Badge status={status} /> },
              { title: words.code, cell: ({ referralCode }) => referralCode ?? text.nothing },
              {
                title: text.actions,
                cell: ({ programId, programName, status }) => (
                  <span className="inline-actions">
                    <DialogButton label={words.terms} title={text.doTo(words.terms, programName)}>
                      {() => <Terms programId={programId} />}
                    </DialogButton>
                    {['approved', 'pending'].includes(status) && (
                      <Leave programId={programId} name={programName} />
                    )}
                  </span>
                ),
              },
            ]}
            rows={data}
            rowKey={({ programId }) => programId}
            empty={words.empty}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Terms({ programId }: { programId: string }) {
  const program = useAnswer('partnerPortal.getProgram', { programId });
  return <Loaded query={program}>{(one) => <ProgramTerms of={one} />}</Loaded>;
}

function Leave({ programId, name }: { programId: string; name: string }) {
  const leave = useChange('partnerPortal.leaveProgram');
  return (
    <DialogButton label={words.leave} title={text.doTo(words.leave, name)} className="danger">
      {(close) => (
        <>
          <p>{words.leaveHint}</p>
          <Problem error={leave.error} />
          <button
            type="button"
            className="danger"
            onClick={() => leave.mutate({ programId }, { onSuccess: close })}
          >
            {words.leave}
          </button>
        </>
      )}
    </DialogButton>
  );
}
