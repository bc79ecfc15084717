/** Set by the setup of a jest run, called by its teardown; both run in the same process. */
declare var stopTestParts: (() => Promise<void>) | undefined;
