import { cut } from '../../../entities/rules/values/cut';
import type { VendorAnswer } from '../../outbound/vendor-http';
import type { KeptAnswer } from '../provider';
import { objectOf, readJson, textOf, type Json } from './json';

/** An answer with its JSON; null where it has none. */
export interface Read {
  status: number | null;
  json: Json | null;
  kept: KeptAnswer;
}

export function readAnswer(answer: VendorAnswer): Read {
  const json = readJson(answer.body);
  return { status: answer.status, json, kept: keptOf(answer, json) };
}

/** An error's name as PayPal writes them; all else is none. */
function nameOf(value: unknown): string | null {
  const name = textOf(value);
  return name !== null && /^[A-Za-z0-9_.-]{1,100}$/.test(name) ? name : null;
}

/** The message of an answer, or of one item's errors: without addresses, and short. */
export function messageOf(value: unknown): string | null {
  const text = textOf(value);
  return text === null ? null : cut(withoutAddresses(text), 300);
}

const longestWord = 100;

/** A word of PayPal's, or the name of an error, whatever stands there: without addresses, and short. */
export function wordOf(value: unknown): string | null {
  const message = messageOf(value);
  return message === null ? null : cut(message, longestWord);
}

function withoutAddresses(text: string): string {
  return text.replace(/(?<![^\s"'<>(),;:])[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/gu, '[address]');
}

function keptOf({ status, failure }: VendorAnswer, json: Json | null): KeptAnswer {
  const error = objectOf(json);
  return {
    httpStatus: status,
    name: nameOf(error['name']) ?? nameOf(error['error']),
    message: messageOf(error['message']) ?? messageOf(error['error_description']) ?? failure,
    debugId: nameOf(error['debug_id']),
  };
}
