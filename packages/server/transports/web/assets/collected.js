/**
 * A function whose calls are collected: `act` runs at once, then at most once in `ms` milliseconds, and never twice at a
 * time.
 */
export function collected(act, ms) {
  let isDue = false;
  let isBusy = false;
  async function run() {
    isDue = false;
    isBusy = true;
    try {
      await act();
    } finally {
      setTimeout(() => {
        isBusy = false;
        if (isDue) void run();
      }, ms);
    }
  }
  return () => {
    isDue = true;
    if (!isBusy) void run();
  };
}
