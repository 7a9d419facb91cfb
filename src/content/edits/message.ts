import type { GitIdentity } from "../../identity/git-identity.ts";
import type { FileOperation, WholeChange } from "./types.ts";

/** The default message of an edit (contract git-content.md 4.4). */
export function defaultMessage(
  operations: readonly Pick<FileOperation, "kind" | "path">[],
  change?: WholeChange,
): string {
  if (change?.kind === "patch") return "apply-patch\n";
  if (change) return `${change.kind === "revert" ? "Revert" : "Cherry-pick"}: ${change.commit}\n`;
  const paths = (kinds: readonly FileOperation["kind"][]) =>
    operations.filter((operation) => kinds.includes(operation.kind)).map((operation) => operation.path);
  const line = (verb: string, files: readonly string[]) => (files.length > 0 ? `${verb} ${files.join(", ")}\n` : "");
  return (
    line("Add", paths(["create"])) +
    line("Update", paths(["update", "upload", "rename", "move-directory"])) +
    line("Delete", paths(["delete", "delete-directory"]))
  );
}

/** The message in stored form: trimmed, with one newline at the end, and a sign-off by the committer if requested. */
export function storedMessage(text: string, signedOffBy: GitIdentity | undefined): string {
  const message = text.replaceAll("\0", "").trim();
  if (!signedOffBy) return `${message}\n`;
  const lastParagraph = message.split(/\n\s*\n/).at(-1) ?? "";
  const hasTrailers = message.includes("\n\n") && lastParagraph.split("\n").every((line) => /^[\w-]+: \S/.test(line));
  return `${message}${hasTrailers ? "\n" : "\n\n"}Signed-off-by: ${signedOffBy.name} <${signedOffBy.email}>\n`;
}
