import { moving as words } from '../../text/en/app/moving';
import { ActButton } from '../../ui/ask';
import { Progress } from './progress';
import { Report } from './report';
import { takesChanges, type OfImportAndProgram } from './use-import';

/** Reads all, and says what it would bring. */
export function Check({ at, of, program }: OfImportAndProgram) {
  const { status, report, error } = of;
  return (
    <>
      {takesChanges(of) && <p>{words.checkHint}</p>}
      {error && (
        <div role="alert" className="problem">
          <p>{error.message}</p>
        </div>
      )}
      {status === 'reading' && <Progress of={of} />}
      {takesChanges(of) && (
        <ActButton
          label={report ? words.checkAgain : words.check}
          className={report ? undefined : 'primary'}
          call="imports.check"
          fields={at}
        />
      )}
      {report && <Report at={at} of={of} program={program} report={report} />}
    </>
  );
}
