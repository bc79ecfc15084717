import { isLocked } from '../../entities/database/errors';

/** One round of work that comes round again: what is locked keeps the rest waiting no longer. */
export async function unlessLocked<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return undefined;
  }
}
