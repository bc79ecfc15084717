import { moving as words } from '../../text/en/app/moving';
import { ConfirmButton } from '../../ui/ask';
import { Section } from '../../ui/page';
import { Progress } from './progress';
import { bookedOf } from './report';
import type { OfImport } from './use-import';

/** Takes back what was booked, as long as nothing came of it. */
export function Undo({ at, of }: OfImport) {
  const { status } = of;
  if (status === 'undone') return <p role="status">{words.undone}</p>;
  if (!['applied', 'stopped', 'undoing'].includes(status)) return null;
  return (
    <Section title={words.undo}>
      <p>{words.undoHint}</p>
      {status === 'undoing' ? (
        <Progress of={of} />
      ) : (
        <ConfirmButton
          label={words.undo}
          title={words.undoTitle(bookedOf(of))}
          className="danger"
          call="imports.undo"
          fields={at}
        >
          <p>{words.undoWhat}</p>
        </ConfirmButton>
      )}
    </Section>
  );
}
