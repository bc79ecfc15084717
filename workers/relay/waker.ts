/** Lets a loop sleep until a wake-up or the end of a time. A wake-up while it works is not lost. */
export interface Waker {
  wake(): void;
  sleep(ms: number): Promise<void>;
}

export function createWaker(): Waker {
  let called = false;
  let awaken: (() => void) | undefined;

  return {
    wake() {
      called = true;
      awaken?.();
    },
    async sleep(ms) {
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
