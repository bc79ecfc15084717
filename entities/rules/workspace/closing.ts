/** An owner who asked to close a workspace may take that back for so long. */
const closingDays = 30;

/** When a workspace closes that somebody asks to close now. */
export function closesAt(now: Date): Date {
  return new Date(now.getTime() + closingDays * 86_400_000);
}

/** What a closed workspace is called. */
export const closedName = 'Closed workspace';
