/** What the work throws; a failure of the test when it does not. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
}
