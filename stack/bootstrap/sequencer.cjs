const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const ROOT = path.resolve(__dirname, '../..');
const DURATIONS = path.join(ROOT, 'test', 'durations.json');

/** Of a suite that no run has measured yet. */
const UNKNOWN_SECONDS = 5;

/**
 * The longest suites first, so that no worker is left alone with one at the end. A fresh checkout
 * has no cache of jest's: the seconds of each suite are kept in test/durations.json, which
 * `npm test -- --durations` writes.
 */
class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {};
    const of = (test) => seconds[path.relative(ROOT, test.path)] ?? UNKNOWN_SECONDS;
    return [...tests].sort((a, b) => of(b) - of(a) || (a.path < b.path ? -1 : 1));
  }
}

module.exports = LongestFirst;
