import { importKinds, type ImportKind } from '../../../entities/rules/imports/kinds';
import type { ImportFileDto } from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { moving as words } from '../../text/en/app/moving';
import { formatCount } from '../../ui/format';
import { Loaded, Problem, Section } from '../../ui/page';
import { Columns } from './columns';
import { TheirWords } from './their-words';
import { useMapping, type Mapping } from './use-mapping';
import { useUpload } from './use-upload';
import { takesChanges, type At, type OfImport } from './use-import';

/** The files of each kind, and which of their columns is which of ours. */
export function Files({ at, of }: OfImport) {
  const files = useAnswer('imports.listFiles', at);
  const mapping = useMapping({ at, of });
  const may = takesChanges(of);
  return (
    <>
      <p>{words.filesHint}</p>
      <Problem error={mapping.error} />
      <Loaded query={files}>
        {({ files: all, suggestion }) => (
          <>
            {may && suggestion && (
              <p>
                {words.looksLike(suggestion.system)}{' '}
                <button type="button" onClick={() => mapping.take(suggestion)}>
                  {words.takeNames(suggestion.system)}
                </button>
              </p>
            )}
            {importKinds.map((kind) => (
              <FilesOf
                key={kind}
                at={at}
                kind={kind}
                files={all.filter((file) => file.kind === kind)}
                mapping={mapping}
                may={may}
              />
            ))}
            {all.length > 0 && <TheirWords at={at} of={of} />}
          </>
        )}
      </Loaded>
    </>
  );
}

interface KindProps {
  at: At;
  kind: ImportKind;
  files: readonly ImportFileDto[];
  mapping: Mapping;
  may: boolean;
}

function FilesOf({ at, kind, files, mapping, may }: KindProps) {
  const { upload, remove, isBusy, progress, error } = useUpload({ ...at, kind }, files);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return (
    <Section
      title={words.kinds[kind]}
      actions={
        may &&
        files.length > 0 && (
          <button
            type="button"
            className="quiet"
            aria-label={words.removeOf(words.kinds[kind])}
            disabled={isBusy}
            onClick={remove}
          >
            {words.remove}
          </button>
        )
      }
    >
      <p>{words.kindHints[kind]}</p>
      {may && (
        <input
          type="file"
          multiple
          accept=".csv,text/csv"
          aria-label={words.fileOf(words.kinds[kind])}
          disabled={isBusy}
          onChange={({ target }) => upload([...(target.files ?? [])])}
        />
      )}
      <p role="status" className="fine">
        {progress ??
          (files.length === 0 ? words.noFile : words.parts(files.length, formatCount(rows)))}
      </p>
      <Problem error={error} />
      {files.length > 0 && <Columns kind={kind} files={files} mapping={mapping} may={may} />}
    </Section>
  );
}
