import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { importKinds } from '../../../entities/rules/imports/kinds';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { ExportButton } from '../../ui/export-button';
import { Loaded, Section } from '../../ui/page';
import { Switch } from '../../ui/switch';
import { ProgramChoice } from '../program-choice';
import { useProgram } from '../use-program';

/** The ways in and out, among the settings. */
export function Moving() {
  return (
    <>
      <Section title={words.title}>
        <p>
          {words.moveHint} <Link to="/move-in">{words.title}</Link>
        </p>
      </Section>
      <Section title={words.leave}>
        <p>{words.leaveHint}</p>
        <Leave />
      </Section>
    </>
  );
}

function Leave() {
  const { programs, all, program } = useProgram();
  const [includePayout, setPayout] = useState(false);
  return (
    <Loaded query={programs}>
      {() =>
        program ? (
          <>
            <ProgramChoice all={all} program={program} />
            <Switch label={words.withPayout} checked={includePayout} onChange={setPayout} />
            <div className="inline-actions">
              {importKinds.map((kind) => (
                <ExportButton
                  key={kind}
                  call="imports.exportProgram"
                  fields={{
                    ...{ programId: program.id, kind },
                    ...(includePayout && kind === 'partners' && { includePayout }),
                  }}
                  label={words.kinds[kind]}
                />
              ))}
              <ExportButton
                call="imports.exportTerms"
                fields={{ programId: program.id }}
                label={words.termsFile}
              />
            </div>
          </>
        ) : (
          <p className="empty">{text.noProgram}</p>
        )
      }
    </Loaded>
  );
}
