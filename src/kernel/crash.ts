/**
 * Named points between two durable steps. The crash tests set HEARTH_CRASH_AT=name (or name@n for the n-th pass), and
 * the process is killed at that point as if by a power cut; otherwise this does nothing.
 */
export type CrashPoint = (name: string) => void;

export function crashPoints(wanted: string | undefined): CrashPoint {
  if (!wanted) return () => {};
  const [target, count] = wanted.split("@");
  let left = Number(count ?? "1");
  return (name) => {
    if (name !== target || --left > 0) return;
    process.kill(process.pid, "SIGKILL");
    // The signal is asynchronous; nothing after this line may run.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
  };
}
