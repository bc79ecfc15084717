import type { ReactNode } from 'react';
import { text } from '../text/en';

interface StepProps {
  title: string;
  isDone: boolean;
  /** Words in place of “To do”, where somebody else's turn has come. */
  waitsFor?: string | false | undefined;
  children: ReactNode;
}

/** One of the steps of a list: its number, or that it is done. */
export function Step({ title, isDone, waitsFor, children }: StepProps) {
  return (
    <li>
      <section aria-label={title}>
        <header className="section-head">
          <h2 className={isDone ? 'step done' : 'step'}>{title}</h2>
          <span role="status" className={isDone ? 'badge good' : 'badge waiting'}>
            {isDone ? text.done : waitsFor || text.toDo}
          </span>
        </header>
        {children}
      </section>
    </li>
  );
}
