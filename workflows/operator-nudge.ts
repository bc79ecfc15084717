import {
  ActivityFailure,
  CancellationScope,
  condition,
  isCancellation,
} from '@temporalio/workflow';

/** Lets an operator end the wait between two attempts, or between two looks. */
export class OperatorNudge {
  private asked = 0;
  private readonly scopes = new Set<CancellationScope>();

  /** Has open calls made anew at once, and ends the waits. */
  now(): void {
    this.asked += 1;
    for (const scope of this.scopes) scope.cancel();
  }

  /**
   * Calls an activity that the server retries. When an operator asks for it, the wait ends and it is called again at once.
   * Its cancellation type is WAIT_CANCELLATION_COMPLETED: an attempt that runs is never doubled.
   */
  async call<T>(activity: () => Promise<T>): Promise<T> {
    for (;;) {
      const asked = this.asked;
      const scope = new CancellationScope();
      this.scopes.add(scope);
      try {
        return await scope.run(activity);
      } catch (error) {
        if (!wasCancelled(error) || this.asked === asked) throw error;
      } finally {
        this.scopes.delete(scope);
      }
    }
  }

  /** Waits for so long, unless an operator asks. */
  async wait(ms: number | string, summary: string): Promise<void> {
    const { asked } = this;
    await condition(() => this.asked !== asked, ms as number, { summary });
  }
}

/** Whether an activity was cancelled: while it waited, or in an attempt that then failed and has no other after it. */
export function wasCancelled(error: unknown): boolean {
  if (isCancellation(error)) return true;
  return error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED';
}
