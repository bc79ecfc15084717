import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { ConfirmButton } from '../../ui/ask';
import { Loaded, Page } from '../../ui/page';
import { Step } from '../../ui/step';
import { Badge } from '../../ui/values';
import { Announce } from './announce';
import { Apply } from './apply';
import { Check } from './check';
import { Files } from './files';
import { Takes } from './takes';
import { Undo } from './undo';
import { isOpen, useImport, type OfImport, type OfImportAndProgram } from './use-import';

const gone: readonly string[] = ['cancelled', 'undoing', 'undone'];
const afterCheck: readonly string[] = ['checked', 'applying', 'stopped', 'applied', ...gone];

/** An import, step by step. */
export default function ImportPage() {
  const may = useMay('admin');
  const { at, found, program } = useImport(may);
  const one = found.data;
  return (
    <Page
      title={words.one}
      trail={[['/move-in', words.title]]}
      beside={one && <Badge status={one.status} />}
      actions={may && one && <Cancel at={at} of={one} />}
    >
      {may ? (
        <Loaded query={program}>
          {(its) => (
            <Loaded query={found}>{(of) => <Steps {...{ at, of, program: its }} />}</Loaded>
          )}
        </Loaded>
      ) : (
        <p>{text.notAllowed}</p>
      )}
      {one?.status === 'cancelled' && <p role="status">{words.cancelled}</p>}
      {may && one && <Undo at={at} of={one} />}
    </Page>
  );
}

/** What there is to do, and of one that is taken back what there was. */
function Steps({ at, of, program }: OfImportAndProgram) {
  const isChecked = afterCheck.includes(of.status);
  return (
    <ol className="steps">
      <Step title={words.takes} isDone>
        <Takes {...{ at, of }} />
      </Step>
      {of.source === 'csv' && isOpen(of) && (
        <Step title={words.files} isDone={isChecked}>
          <Files {...{ at, of }} />
        </Step>
      )}
      {of.status !== 'cancelled' && (
        <Step title={of.appliedAt ? words.booked : words.check} isDone={isChecked}>
          <Check {...{ at, of, program }} />
        </Step>
      )}
      {!gone.includes(of.status) && (
        <>
          <Step title={words.apply} isDone={of.status === 'applied'}>
            <Apply {...{ at, of }} />
          </Step>
          <Step title={words.announce} isDone={of.announced !== null}>
            <Announce {...{ at, of }} />
          </Step>
        </>
      )}
    </ol>
  );
}

/** The button that cancels an import before anything was booked. */
function Cancel({ at, of: { status } }: OfImport) {
  if (!['draft', 'reading', 'checked', 'failed'].includes(status)) return null;
  return (
    <ConfirmButton
      label={words.cancel}
      title={words.cancelTitle}
      className="danger"
      call="imports.cancel"
      fields={at}
    >
      <p>{words.cancelHint}</p>
    </ConfirmButton>
  );
}
