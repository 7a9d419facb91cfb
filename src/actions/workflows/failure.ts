/** A workflow that cannot run; the message says why to whoever wrote it. */
export class BadWorkflow extends Error {
  override name = "BadWorkflow";
}
