import type { RenameLimit } from "../../src/git/diff/renames.ts";
import type { Terminal } from "./command.ts";

/** Collects rename detections skipped because of too many files, to warn once at the end. */
export class RenameWarning {
  private needed = 0;
  private onlyUnchanged = false;

  /** For the diff options. */
  readonly onLimit = (limit: RenameLimit): void => {
    this.needed = Math.max(this.needed, limit.needed);
    if (limit.onlyUnchanged) this.onlyUnchanged = true;
  };

  tell(terminal: Terminal): void {
    if (this.needed === 0) return;
    const what = this.onlyUnchanged
      ? "only found copies from modified paths due to too many files."
      : "exhaustive rename detection was skipped due to too many files.";
    terminal.err(`warning: ${what}`);
    terminal.err(
      `warning: you may want to set your diff.renameLimit variable to at least ${this.needed} and retry the command.`,
    );
  }
}
