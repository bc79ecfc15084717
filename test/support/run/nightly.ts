/** Whether this is `npm run test:nightly`, with the long forms of suites (`*.nightly.ts`). */
export const isNightly = process.env['TEST_NIGHTLY'] !== undefined;

/** A test that `npm test` has no time for. Called with `?.`: what is skipped there is a failure. */
export const byNight = isNightly ? it : undefined;
