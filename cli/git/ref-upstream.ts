import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { aheadBehindAll } from "../../src/git/history/ahead-behind.ts";
import { pushRemoteOf, pushTargetOf, upstreamOf } from "../../src/git/refs/upstream.ts";
import { Fatal } from "./command.ts";
import type { Atom, ListedRef } from "./ref-atoms.ts";

const NOTHING = { text: "" };

/**
 * `%(upstream)` and `%(push)` with their options.
 * @param shaped the name of the followed ref, as an option for names of refs has it
 * @throws Fatal
 */
export function followed(
  repository: RepositoryFolder,
  field: "upstream" | "push",
  option: string | undefined,
  shaped: (full: string) => string,
): Atom {
  const { config } = repository;
  const target = ({ name }: ListedRef) =>
    field === "push" ? pushTargetOf(config, name) : upstreamOf(config, name)?.tracking;
  if (option === "remotename")
    return (ref) => {
      if (field === "push") return { text: pushRemoteOf(config, ref.name) ?? "" };
      const upstream = upstreamOf(config, ref.name);
      return upstream?.tracking === undefined ? NOTHING : { text: upstream.remote };
    };
  if (option === "remoteref")
    return (ref) => {
      const upstream = field === "push" ? undefined : upstreamOf(config, ref.name);
      return upstream?.tracking === undefined ? NOTHING : { text: upstream.merge };
    };
  const words = new Set((option ?? "").split(","));
  const isTrack = ["track", "trackshort", "nobracket"].some((word) => words.has(word));
  if (isTrack && [...words].some((word) => !["track", "trackshort", "nobracket"].includes(word)))
    throw new Fatal(`unrecognized %(${field}:${option}) argument: ${option}`);
  return (ref) => {
    const full = target(ref);
    if (full === undefined) return NOTHING;
    return { text: isTrack ? tracking(repository, ref, full, words) : shaped(full) };
  };
}

/** How far the ref and the one it follows are apart. */
function tracking(repository: RepositoryFolder, ref: ListedRef, full: string, words: ReadonlySet<string>): string {
  const isShort = words.has("trackshort");
  const within = (text: string) => (words.has("nobracket") ? text : `[${text}]`);
  const { store } = repository;
  const oid = repository.refs.resolve(full)?.oid;
  const base = oid === undefined ? undefined : peelToCommit(store, oid);
  const tip = peelToCommit(store, ref.oid);
  if (base === undefined || tip === undefined) return isShort ? "" : within("gone");
  const [{ ahead, behind } = { ahead: 0, behind: 0 }] = aheadBehindAll(repository.commits, base, [tip]);
  if (isShort) return ahead > 0 ? (behind > 0 ? "<>" : ">") : behind > 0 ? "<" : "=";
  const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
  return parts.length === 0 ? "" : within(parts.join(", "));
}
