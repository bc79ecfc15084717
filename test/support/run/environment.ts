import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';
import { openThings } from './open-things';

/** Of jest's events, what says that something failed. */
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];

/** Fails a suite of green tests that ends while an app or dependencies of its own are still open. */
export default class ClosingEnvironment extends TestEnvironment {
  private hasFailed = false;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    openThings(this.global);
  }

  handleTestEvent(event: { name: string }): void {
    // What failed must not be hidden behind what it left behind.
    this.hasFailed ||= FAILURES.includes(event.name);
  }

  override async teardown(): Promise<void> {
    const left = [...openThings(this.global)];
    await super.teardown();
    if (left.length > 0 && !this.hasFailed) {
      throw new Error(`left open at the end of the suite: ${left.join(', ')}`);
    }
  }
}
