const LOOK_MS = 10_000;
/** A process that waits for requests uses a tenth of that between two looks. */
const QUIET_CPU_MS = 100;
/** Less work leaves nothing that is worth it. */
const WORK_CPU_MS = 500;

/**
 * Has what work left behind given back once the process has been quiet for a while.
 * @returns ends it
 */
export function whenQuiet(giveBack: () => void): () => void {
  let seen = 0;
  let worked = 0;
  const timer = setInterval(() => {
    const { system, user } = process.cpuUsage();
    const used = (system + user) / 1_000 - seen;
    seen += used;
    worked += used;
    if (used > QUIET_CPU_MS || worked < WORK_CPU_MS) return;
    worked = 0;
    giveBack();
  }, LOOK_MS);
  timer.unref?.();
  return () => clearInterval(timer);
}
