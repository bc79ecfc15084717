import { useApi, useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Page, Problem } from '../../ui/page';
import { Table } from '../../ui/table';
import { Badge } from '../../ui/values';
import { useOwnPrograms } from '../own-programs';
import { ProgramTerms } from '../program-terms';
import type { PartnerTermsDto } from '../../session/records';

const words = text.portal.programmes;

export default function ProgrammesPage() {
  const programs = useOwnPrograms();
  return (
    <Page title={text.portal.nav.programmes}>
      <Loaded query={programs}>
        {({ data }) => (
          <Table
            caption={text.portal.nav.programmes}
            columns={[
              { title: text.program, cell: ({ programName }) => programName },
              { title: text.status, cell: ({ status }) => <Badge status={status} /> },
              { title: words.code, cell: ({ referralCode }) => referralCode ?? text.nothing },
              {
                title: text.actions,
                cell: ({ programId, status }) => (
                  <span className="inline-actions">
                    <DialogButton label={words.terms}>
                      {() => <Terms programId={programId} />}
                    </DialogButton>
                    {['approved', 'pending'].includes(status) && <Leave programId={programId} />}
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
  const program = useApi<PartnerTermsDto>(`/api/v1/partner/programs/${programId}`);
  return <Loaded query={program}>{(one) => <ProgramTerms of={one} />}</Loaded>;
}

function Leave({ programId }: { programId: string }) {
  const change = useChange();
  return (
    <DialogButton label={words.leave} className="danger">
      {(close) => (
        <>
          <p>{words.leaveHint}</p>
          <Problem error={change.error} />
          <button
            type="button"
            className="danger"
            onClick={() =>
              change.mutate(
                { path: `/api/v1/partner/programs/${programId}/leave`, method: 'POST', body: {} },
                { onSuccess: close },
              )
            }
          >
            {words.leave}
          </button>
        </>
      )}
    </DialogButton>
  );
}
