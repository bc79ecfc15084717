import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useApi, useChange, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { FormButton } from '../../ui/ask';
import { Dialog } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { Field } from '../../ui/plain-form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Table, type Paged } from '../../ui/table';
import { Codes } from '../codes';
import { useOwnPrograms } from '../own-programs';
import { Copyable } from '../../ui/values';
import type { PartnerProgram, TrackingLinkDto } from '../../session/records';

const words = text.portal.links;

export default function LinksPage() {
  const programs = useOwnPrograms();
  return (
    <Page title={text.portal.nav.links}>
      <Loaded query={programs}>
        {({ data }) => {
          const approved = data.filter(({ status }) => status === 'approved');
          if (approved.length > 0)
            return approved.map((one) => <Program key={one.programId} of={one} />);
          return (
            <p className="empty">
              {words.empty} <Link to="/programmes">{text.portal.nav.programmes}</Link>
            </p>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Program({ of: { programId, programName, codes } }: { of: PartnerProgram }) {
  const path = `/api/v1/partner/programs/${programId}/links`;
  const links = useApi<Paged<TrackingLinkDto>>(path, { limit: 100 });
  const change = useChange();
  return (
    <Section title={programName} actions={<NewLink path={path} />}>
      {codes.length > 0 && <Codes of={codes} />}
      <Problem error={change.error} />
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
                cell: ({ id }) => (
                  <span className="inline-actions">
                    <QrCode path={`${path}/${id}/qr.svg`} />
                    {id !== data[0]?.id && (
                      <button
                        type="button"
                        onClick={() => change.mutate({ path: `${path}/${id}`, method: 'DELETE' })}
                      >
                        {words.remove}
                      </button>
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

function NewLink({ path }: { path: string }) {
  const change = useChange();
  return (
    <FormButton
      label={words.newLink}
      send={({ targetUrl, name }) =>
        change.mutateAsync({
          path,
          method: 'POST',
          body: { targetUrl, ...(name && { name }) },
        })
      }
    >
      <Field label={words.target} name="targetUrl" type="url" />
      <Field label={text.name} name="name" />
    </FormButton>
  );
}

/** Drawn by the API; as a data URL it is an image and runs nothing. */
function QrCode({ path }: { path: string }) {
  const session = useSession();
  const mode = useMode();
  const [source, setSource] = useState<string>();
  const [error, setError] = useState<unknown>();
  const show = async (): Promise<void> => {
    const response = await session.call<Response>(path, { mode, raw: true });
    setSource(`data:image/svg+xml,${encodeURIComponent(await response.text())}`);
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
