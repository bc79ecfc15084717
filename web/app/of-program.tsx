import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { text } from '../text/en';
import { nav as navWords } from '../text/en/app/nav';
import { Loaded, Page } from '../ui/page';
import { ProgramChoice } from './program-choice';
import type { Program } from '../session/records';
import { useProgram } from './use-program';

interface OfProgramProps {
  title: string;
  actions?: (program: Program) => ReactNode;
  children: (program: Program) => ReactNode;
}

/** A page about one programme of the mode; where there is none yet, the way to the first. */
export function OfProgram({ title, actions, children }: OfProgramProps) {
  const { programs, all, program } = useProgram();
  return (
    <Page title={title} actions={program && actions?.(program)}>
      <Loaded query={programs}>
        {() =>
          program ? (
            <>
              <ProgramChoice all={all} program={program} />
              {children(program)}
            </>
          ) : (
            <p className="empty">
              {text.noProgram} <Link to="/">{navWords.getStarted}</Link>
            </p>
          )
        }
      </Loaded>
    </Page>
  );
}
