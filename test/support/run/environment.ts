import { setTimeout as pause } from 'node:timers/promises';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';
import { checkerOf } from '../answers/response-checker';
import { openThings } from './open-things';

/** The events of jest that say that something failed. */
const FAILURES = ['test_fn_failure', 'hook_failure', 'error'];
/**
 * What keeps a process alive, in the words of Node; a closed one needs a moment to be gone. Sockets
 * are not among them: an answer of a killed server that nobody reads to its end keeps one.
 */
const LASTING = ['ProcessWrap', 'TCPServerWrap', 'Timeout'];
const GONE_WITHIN_MS = 10_000;

/** Fails a suite of green tests that ends while something that it opened still runs. */
export default class ClosingEnvironment extends TestEnvironment {
  private hasFailed = false;
  private readonly before = lasting();

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    // With one worker, jest lends each suite the globals of its own process: there TypeORM keeps
    // what was declared to it, by the global set-up and by each suite before, and each entity would
    // be there again.
    this.global['typeormMetadataArgsStorage'] = undefined;
    openThings(this.global);
    // Compiled outside the suites, so that all of a worker share it.
    this.global['responseCheckerOf'] = checkerOf;
  }

  handleTestEvent(event: { name: string }): void {
    // What failed must not be hidden behind what it left behind.
    this.hasFailed ||= FAILURES.includes(event.name);
  }

  override async teardown(): Promise<void> {
    const left = [...openThings(this.global)];
    await super.teardown();
    if (this.hasFailed) return;
    left.push(...(await leftOf(this.before)));
    if (left.length > 0) {
      throw new Error(`left open at the end of the suite: ${left.join(', ')}`);
    }
  }
}

function lasting(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => LASTING.includes(kind));
}

async function leftOf(before: readonly string[]): Promise<string[]> {
  const end = Date.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = without(lasting(), before);
    if (left.length === 0 || Date.now() > end) return left;
    await pause(20, undefined, { ref: false });
  }
}

/** What there is more of now than there was. */
function without(now: readonly string[], before: readonly string[]): string[] {
  const known = [...before];
  return now.filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}
