import { refused } from '../../session/refused';
import { text } from '../../text/en';

const two = (value: number): string => String(value).padStart(2, '0');

/** An instant as a field of day and time has it, in the reader's time zone. */
export function typedMoment(iso: string): string {
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The instant of such a field. Throws a refusal of `cutover` where nothing was chosen. */
export function cutoverOf(typed = ''): string {
  const at = new Date(typed);
  if (Number.isNaN(at.getTime())) throw refused('cutover', text.noMoment);
  return at.toISOString();
}

/** `a, b` as a list; undefined for none. */
export function namesOf(typed = ''): string[] | undefined {
  const names = typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return names.length === 0 ? undefined : names;
}
