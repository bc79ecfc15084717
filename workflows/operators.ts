import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { noteProblem, type OperatorNote } from '../entities/rules/values/operator-note';

/** Options of an update that operators send: what Temporal Web shows of it, and what it takes. */
export function ofOperators(description: string) {
  return {
    description: `${description} Takes {"operator": "<your id>", "reasonCode": "<code>"}.`,
    validator(note: OperatorNote): void {
      const problem = noteProblem(note);
      if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem, 'VALIDATION_ERROR');
    },
  };
}

/** A refusal is known by its code, not by the activity that met it. */
export async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
      throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type);
    }
    throw error;
  }
}

/** What an operator reads in Temporal Web. */
export interface Details {
  /** What the run is about: a kind and an id. */
  about: string;
  /** What it does or waits for, in a sentence. */
  now: string;
  /** ISO instant since when it does. */
  since: string;
  /** What happens by itself, and when. */
  next: string;
  /** Updates that change it. */
  updates: readonly string[];
  /** Further lines. */
  more?: readonly string[];
}

export function detailsOf({ about, now, since, next, updates, more = [] }: Details): string {
  const names = updates.map((name) => `\`${name}\``).join(', ');
  return [
    `**${about}**`,
    `**Now** ${now}`,
    `**Since** ${since}`,
    `**Next** ${next}`,
    ...more,
    `**Updates** ${names || 'none'}`,
  ].join('\n\n');
}

/** An instant of the workflow's clock, so that a replay shows the same. */
export const instant = (): string => new Date().toISOString();
