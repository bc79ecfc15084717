import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useAnswer, useChange, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { links as words } from '../../text/en/portal/links';
import { nav as navWords } from '../../text/en/portal/nav';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { Dialog } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { Field } from '../../ui/plain-form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Codes } from '../codes';
import { useOwnPrograms } from '../own-programs';
import { Copyable } from '../../ui/values';
import type { PartnerProgram } from '../../session/records';

export default function LinksPage() {
  const programs = useOwnPrograms();
  return (
    <Page title={navWords.links}>
      <Loaded query={programs}>
        {({ data }) => {
          const approved = data.filter(({ status }) => status === 'approved');
          if (approved.length > 0)
            return approved.map((one) => <Program key={one.programId} of={one} />);
          return (
            <p className="empty">
              {words.empty} <Link to="/programmes">{navWords.programmes}</Link>
            </p>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Program({ of: { programId, programName, codes } }: { of: PartnerProgram }) {
  const links = useAnswer('partnerPortal.listLinks', { programId, limit: 100 });
  return (
    <Section title={programName} actions={<NewLink programId={programId} />}>
      {codes.length > 0 && <Codes of={codes} />}
      <Loaded query={links}>
        {({ data }) => (
          <Table
            caption={programName}
            columns={[
              {
                title: text.name,
                cell: ({ id, name }) =>
                  id === data[0]?.id ? words.defaultLink : (name ?? words.unnamed),
              },
              { title: words.url, cell: ({ url }) => <Copyable value={url} /> },
              { title: words.clicks, isNumber: true, cell: ({ clicks }) => formatCount(clicks) },
              { title: words.sales, isNumber: true, cell: (row) => formatCount(row.conversions) },
              {
                title: text.actions,
                // The default link comes first, and stays.
                cell: ({ id, name, url }) => (
                  <span className="inline-actions">
                    <QrCode programId={programId} linkId={id} />
                    {id !== data[0]?.id && (
                      <ConfirmButton
                        label={words.remove}
                        title={words.removeOf(name ?? words.unnamed)}
                        className="danger"
                        call="partnerPortal.deleteLink"
                        fields={{ programId, linkId: id }}
                      >
                        <p>{words.removeHint(url)}</p>
                      </ConfirmButton>
                    )}
                  </span>
                ),
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={text.nothing}
          />
        )}
      </Loaded>
    </Section>
  );
}

function NewLink({ programId }: { programId: string }) {
  const create = useChange('partnerPortal.createLink');
  return (
    <FormButton
      label={words.newLink}
      send={({ targetUrl = '', name }) =>
        create.mutateAsync({ programId, targetUrl, ...(name && { name }) })
      }
    >
      <Field label={words.target} name="targetUrl" type="url" />
      <Field label={text.name} name="name" />
    </FormButton>
  );
}

/** The QR code that the API draws; as a data URL it is an image and runs nothing. */
function QrCode(link: { programId: string; linkId: string }) {
  const session = useSession();
  const mode = useMode();
  const [source, setSource] = useState<string>();
  const [error, setError] = useState<unknown>();
  const show = async (): Promise<void> => {
    const drawn = await session.ask('partnerPortal.getLinkQrCode', link, mode);
    setSource(`data:image/svg+xml,${encodeURIComponent(drawn)}`);
  };
  return (
    <>
      <button type="button" onClick={() => void show().catch(setError)}>
        {words.qr}
      </button>
      <Problem error={error} />
      {source && (
        <Dialog title={words.qr} onClose={() => setSource(undefined)}>
          <img className="qr" src={source} alt={words.qr} />
        </Dialog>
      )}
    </>
  );
}
