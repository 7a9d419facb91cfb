const LOOK_MS = 1_500;
/** A process that is only waiting for requests uses a hundredth of this between two checks. */
const QUIET_CPU_MS = 15;
/** After less work than this, freeing memory is not worth it. */
const WORK_CPU_MS = 500;
const QUIET_LOOKS = 7;
/** Work this long leaves behind memory that should be freed before the next work begins. */
const LONG_WORK_CPU_MS = 5_000;

/**
 * Calls `giveBack` to free what work left behind once the process has been quiet for a while: ten seconds, or two after
 * long work. Startup always counts as work, however little CPU it took: it leaves up to two MiB that are not needed
 * afterwards.
 * @returns a function that stops the watching
 */
export function whenQuiet(giveBack: () => void): () => void {
  let seen = 0;
  let worked = 0;
  let isStart = true;
  let quietLooks = 0;
  const timer = setInterval(() => {
    const { system, user } = process.cpuUsage();
    const used = (system + user) / 1_000 - seen;
    seen += used;
    worked += used;
    quietLooks = used > QUIET_CPU_MS ? 0 : quietLooks + 1;
    const hasWorked = isStart || worked >= WORK_CPU_MS;
    const isWorthIt = worked >= LONG_WORK_CPU_MS ? quietLooks > 0 : hasWorked && quietLooks >= QUIET_LOOKS;
    if (!isWorthIt) return;
    isStart = false;
    worked = 0;
    giveBack();
  }, LOOK_MS);
  timer.unref?.();
  return () => clearInterval(timer);
}
