/** The function that the setup of a jest run sets and its teardown calls; both run in the same process. */
declare var stopTestParts: (() => Promise<void>) | undefined;
