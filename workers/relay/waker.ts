export type Waker = ReturnType<typeof createWaker>;

/** Lets a loop sleep until a wake-up or the end of a time. A wake-up while it works is not lost. */
export function createWaker() {
  let called = false;
  let awaken: (() => void) | undefined;

  return {
    wake(): void {
      called = true;
      awaken?.();
    },
    async sleep(ms: number): Promise<void> {
      if (!called) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          awaken = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        awaken = undefined;
      }
      called = false;
    },
  };
}
