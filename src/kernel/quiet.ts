const LOOK_MS = 1_500;
/** A process that waits for requests uses a hundredth of that between two looks. */
const QUIET_CPU_MS = 15;
/** Less work leaves nothing that is worth it. */
const WORK_CPU_MS = 500;
const QUIET_LOOKS = 7;
/** So much leaves what should not stand beside the work that comes next. */
const LONG_WORK_CPU_MS = 5_000;

/**
 * Has what work left behind given back once the process has been quiet for a while: ten seconds, and two after long work.
 * The start counts as work however little it took: it leaves up to two MiB that nothing needs afterwards.
 * @returns ends it
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
