/** A workflow that cannot run; the message tells its author why. */
export class BadWorkflow extends Error {
  override name = "BadWorkflow";
}
