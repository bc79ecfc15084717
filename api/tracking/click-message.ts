import { isIP } from 'node:net';
import type { Context } from 'koa';
import { AppError, validationError, type FieldProblem } from '../../entities/errors';
import { bodyError, checkContentType, isStorable, readText } from '../http/contract/body/body';
import type { ClickBody } from './clicks.dto';

export const clickContentTypes = ['application/json', 'text/plain'] as const;

/** A request's body, read before its sender is known: the key may be in it. */
export interface ClickMessage {
  /** The parsed body; undefined when it could not be read. */
  value: unknown;
  /** Why it will be refused once the key was found good and counted. */
  refusal: AppError | undefined;
}

/**
 * Reads a body of any content type as JSON. The order of checks is that of all endpoints, key and
 * limit first, so what is wrong with the body is only noted here.
 */
export async function readMessage(ctx: Context): Promise<ClickMessage> {
  const wrongType = refusalOf(() => checkContentType(ctx, clickContentTypes));
  const text = await readText(ctx).catch((error: Error) => bodyError(error));
  if (typeof text !== 'string') return { value: undefined, refusal: wrongType ?? text };

  const value = parse(text);
  if (isObject(value)) return { value, refusal: wrongType };
  const problem = value === undefined ? 'is not valid JSON' : 'must be a JSON object';
  return { value, refusal: wrongType ?? validationError('body', problem) };
}

/**
 * The fields of a readable message; VALIDATION_ERROR with every problem at once. What says who the
 * visitor is counts only from a server: in a browser's message it is an unknown field.
 */
export function readClick(value: object, { fromServer }: { fromServer: boolean }): ClickBody {
  const body = value as Record<keyof ClickBody, unknown>;
  const problems: FieldProblem[] = [];
  if (typeof body.ref !== 'string' || body.ref === '') {
    problems.push({ field: 'ref', message: 'must be text of at least 1 character' });
  } else if (!isStorable(body.ref)) {
    problems.push({ field: 'ref', message: 'must not contain NUL or lone surrogates' });
  }
  for (const field of ['key', 'url', 'referrer', 'visitor_token'] as const) {
    const given = body[field] ?? '';
    if (typeof given !== 'string') problems.push({ field, message: 'must be text' });
  }
  if (fromServer) problems.push(...visitorProblems(body));
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
  return value as ClickBody;
}

/** Whether a message says whose click it is, as only a server has to. */
export function namesVisitor(value: unknown): boolean {
  return isObject(value) && Boolean(value['user_agent'] || value['ip']);
}

function visitorProblems({
  user_agent: agent,
  ip,
}: Record<keyof ClickBody, unknown>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (typeof (agent ?? '') !== 'string')
    problems.push({ field: 'user_agent', message: 'must be text' });
  const address = ip ?? '';
  if (typeof address !== 'string' || (address !== '' && isIP(address) === 0)) {
    problems.push({ field: 'ip', message: 'must be an IP address' });
  }
  return problems;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusalOf(check: () => void): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
