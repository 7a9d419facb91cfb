import { atLeast } from "../access/levels.ts";
import type { Oid } from "../git/objects/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { RefChange } from "../git/refs/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { SeenFolder } from "./access.ts";
import type { PushRefusal } from "./push-rules.ts";

/** Pushes to names under this prefix request a pull request and create no ref (contract git-content.md 13.6). */
export const REFS_FOR = "refs/for/";

/** A pull request requested by a push to `refs/for/<base>/<topic>`. */
export interface RequestedPull {
  /** An existing branch. */
  readonly base: string;
  /** Identifies the pull request, `<pusher>/<topic>`: pushing the same one updates it. */
  readonly head: string;
  /** Its objects are already stored. */
  readonly newOid: Oid;
  /** Absent: taken from the commit's message. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Whether commits pushed earlier may be dropped. */
  readonly mayForce: boolean;
}

/** The outcome: the ref that was moved instead of the named one, or the reason why none was. */
export type ReceivedPull =
  | {
      readonly ok: true;
      readonly refname: string;
      /** null: the ref is new. */
      readonly oldOid: Oid | null;
      readonly isForced: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** Implemented by the area of pull requests. @param say sends messages to the pusher, line by line */
export type PullReceiver = (
  seen: SeenRepo,
  request: RequestedPull,
  say: (text: string) => void,
) => Promise<ReceivedPull>;

/** Why a ref below `refs/for/` is refused: with the whole push, or individually. */
export type RefsForRefusal = { readonly whole: PushRefusal } | { readonly alone: string };

/** Handles pushes that request pull requests; read access to the code is enough. */
export class RefsFor {
  private receiver: PullReceiver | undefined;

  constructor(private readonly refs: RefService) {}

  /** Called once, by the area of pull requests. */
  receiveWith(receiver: PullReceiver): void {
    this.receiver = receiver;
  }

  /** undefined: it is permitted. */
  refusalOf({ seen, folder }: SeenFolder, change: RefChange, options: readonly string[]): RefsForRefusal | undefined {
    if (folder.kind !== "code") return { whole: (t) => t("pullToWiki") };
    const alone = (reason: string): RefsForRefusal => ({ alone: reason });
    if (!this.receiver) return alone("pull requests by push are not supported");
    if (!seen.principal.user || !atLeast(seen.access.on("pulls"), "read")) return { whole: (t) => t("noPullRequests") };
    if (seen.repo.isEmpty) return { whole: (t) => t("pullToEmpty") };
    if (change.newOid === null) return alone("Can't delete not exist branch");
    const target = this.targetOf(seen, change.name);
    if (!target) return alone("base-branch does not exist");
    return target.topic === "" && topicOption(options) === "" ? alone("topic-branch is not set") : undefined;
  }

  /** Carries out a request that `refusalOf` permits. */
  async receive(
    seen: SeenRepo,
    change: RefChange,
    options: readonly string[],
    say: (text: string) => void,
  ): Promise<ReceivedPull> {
    const target = this.targetOf(seen, change.name);
    const topic = target?.topic || topicOption(options);
    const { user } = seen.principal;
    if (!this.receiver || !target || topic === "" || !user || change.newOid === null)
      return { ok: false, reason: "the base branch is gone" };
    const prefix = `${user.login.toLowerCase()}/`;
    const request: RequestedPull = {
      base: target.base,
      head: topic.startsWith(prefix) ? topic : prefix + topic,
      newOid: change.newOid,
      title: decoded(optionOf(options, "title")),
      description: decoded(optionOf(options, "description")),
      mayForce: optionOf(options, "force-push") === "true",
    };
    return this.receiver(seen, request, say);
  }

  /**
   * The base is the whole rest of the name if that is a branch, else its shortest prefix that is one, followed by the
   * topic.
   */
  private targetOf({ repo }: SeenRepo, name: string): { base: string; topic: string } | undefined {
    const rest = name.slice(REFS_FOR.length);
    const isBranch = (branch: string) => this.refs.find(repo.id, BRANCHES + branch) !== undefined;
    if (isBranch(rest)) return { base: rest, topic: "" };
    for (let at = rest.indexOf("/"); at >= 0; at = rest.indexOf("/", at + 1)) {
      const base = rest.slice(0, at);
      if (isBranch(base)) return { base, topic: rest.slice(at + 1) };
    }
    return undefined;
  }
}

function topicOption(options: readonly string[]): string {
  return optionOf(options, "topic") ?? "";
}

/** The last one given; a bare option counts as `true`. */
function optionOf(options: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const option of options) {
    if (option === name) value = "true";
    else if (option.startsWith(`${name}=`)) value = option.slice(name.length + 1);
  }
  return value;
}

const BASE64 = "{base64}";

/** Multi-line texts are sent in base64, with a marker. */
function decoded(value: string | undefined): string | undefined {
  if (!value?.startsWith(BASE64)) return value;
  const text = value.slice(BASE64.length).trim();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(text));
  } catch {
    return value;
  }
}
