import { Link } from '@tanstack/react-router';
import type { ImportDto, Program } from '../../session/records';
import { useAnswer, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { Section } from '../../ui/page';
import { List } from '../../ui/list';
import { Badge, When } from '../../ui/values';
import { OfProgram } from '../of-program';
import { Begin } from './begin';
import { isOpen } from './use-import';

export default function MoveInPage() {
  const may = useMay('admin');
  return (
    <OfProgram title={words.title}>
      {(program) => (may ? <Imports program={program} /> : <p>{text.notAllowed}</p>)}
    </OfProgram>
  );
}

/** What was brought so far, and the beginning of the next unless one is open. */
function Imports({ program }: { program: Program }) {
  const imports = useAnswer('imports.list', { programId: program.id, limit: 20 });
  const open = imports.data?.data.find(isOpen);
  return (
    <>
      {open && (
        <div className="notice-box told">
          <p>{words.openOne}</p>
          <ToImport of={open} program={program} />
        </div>
      )}
      {imports.data && !open && program.status !== 'archived' && (
        <Begin key={program.id} program={program} />
      )}
      <Section title={words.imports}>
        <List
          call="imports.list"
          fields={{ programId: program.id }}
          caption={words.imports}
          columns={[
            { title: words.name, cell: (one) => <ToImport of={one} program={program} /> },
            { title: words.from, cell: ({ source }) => words.sources[source] },
            { title: text.status, cell: ({ status }) => <Badge status={status} /> },
            { title: words.cutover, cell: ({ cutover }) => <When at={cutover} /> },
            { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          ]}
          empty={words.noImports}
        />
      </Section>
    </>
  );
}

function ToImport({ of: { id, name }, program }: { of: ImportDto; program: Program }) {
  return <Link to={`/move-in/${program.id}/${id}`}>{name}</Link>;
}
