/** The repository a job is about. @throws Error when it names none */
export function repoIdOf(payload: unknown): number {
  if (typeof payload !== "object" || payload === null || !("repoId" in payload) || typeof payload.repoId !== "number")
    throw new Error("the job names no repository");
  return payload.repoId;
}
