/** Set by the setup of a jest run, called by its teardown; both run in the same process. */
// eslint-disable-next-line no-var -- nothing else declares a property of globalThis
declare var stopTestParts: (() => Promise<void>) | undefined;
