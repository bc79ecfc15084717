import type { Context } from 'koa';
import { AppError, validationError } from '../../entities/errors';
import { bodyError, checkContentType, readText } from '../http/contract/body/body';

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
