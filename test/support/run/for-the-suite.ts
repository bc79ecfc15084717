/** Fills the answer in before the tests of a suite, and closes it after them. */
export function forTheSuite<T extends { close(): Promise<void> }>(open: () => Promise<T>): T {
  const opened = {} as T;
  beforeAll(async () => {
    Object.assign(opened, await open());
  }, 60_000);
  afterAll(() => opened.close());
  return opened;
}
