import type { PieceChoice, Resolution } from "../../src/git/merge/resolutions.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { changesPulls, readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import type { Conflict } from "../../src/pulls/conflicts/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import type { WebServices } from "../area.ts";
import { Form, readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ConflictsPage } from "./conflicts.tsx";
import { mergingWords } from "./words/index.ts";

/** The texts of a form with many files, edited or not. */
const FORM_LIMIT_BYTES = 8 << 20;
const MAX_FILES = 100;
const MAX_PIECES = 10_000;

/** Resolves conflicts of a pull request in the browser. */
export function conflictPages(services: WebServices): Route[] {
  const path = "/:owner/:repo/pulls/:index/conflicts";
  return [
    { method: "GET", surface: "page", path, access: readsPulls, handle: (call) => shown(services, call) },
    { method: "POST", surface: "page", path, access: changesPulls, handle: (call) => decide(services, call) },
  ];
}

const hrefOf = ({ issue, seen }: SeenPull) => homeOf(seen, `pulls/${issue.number}`);

async function shown(
  services: WebServices,
  call: Call,
  typed?: { readonly form: Form; readonly error: string },
): Promise<Response> {
  const { pullConflicts, pulls } = services;
  const item = seenPull(call, pulls);
  const tips = pullConflicts.tips(item);
  if (!tips) throw new NotFound();
  const found = await pullConflicts.read(item, tips);
  const { pull, issue, seen } = item;
  const mayResolve = seen.principal.user !== undefined && !seen.repo.isArchived && pullConflicts.mayResolve(item);
  // Values typed for other commits belong to other conflicts.
  const isSame = typed?.form.text("head") === tips.head && typed.form.text("base") === tips.base;
  const form = isSame && typed ? typed.form : new Form({});
  const view = (
    <ConflictsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      pull={{ title: issue.title, number: issue.number, href: hrefOf(item) }}
      labels={{ ours: pull.headBranch, theirs: pull.baseBranch }}
      {...tips}
      {...found}
      form={
        mayResolve
          ? {
              message: form.exact("message") || pullConflicts.messageOf(item),
              typed: (name) => form.exact(name).replaceAll("\r\n", "\n"),
            }
          : undefined
      }
      errors={typed && { form: typed.error }}
    />
  );
  return show(call, view, { status: typed ? 422 : 200 });
}

async function decide(services: WebServices, call: Call): Promise<Response> {
  const { pullConflicts, pulls } = services;
  const item = seenPull(call, pulls);
  const form = await readForm(call, FORM_LIMIT_BYTES);
  try {
    await pullConflicts.resolve(item, {
      head: form.text("head"),
      base: form.text("base"),
      message: form.exact("message").replaceAll("\r\n", "\n"),
      resolutions: resolutionsOf(form),
    });
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 409, 422].includes(error.status)) throw error;
    return shown(services, call, { form, error: refusalText(call, error) });
  }
  const text = wordsFor(call, mergingWords)("conflictsResolved");
  return redirectAfterPost(services, call, hrefOf(item), { kind: "success", text });
}

/** The submitted resolutions; a file without decisions, or with some missing, is left out, and is refused for that. */
function resolutionsOf(form: Form): Resolution[] {
  const found: Resolution[] = [];
  for (let at = 0; at < MAX_FILES && form.has(`path-${at}`); at++) {
    const path: Conflict["path"] = form.exact(`path-${at}`);
    const how = form.text(`how-${at}`);
    if (how === "ours" || how === "theirs") found.push({ kind: "side", path, side: how });
    else if (how === "text") found.push({ kind: "text", path, text: form.exact(`text-${at}`) });
    else if (how === "pieces") {
      const choices = choicesOf(form, at);
      if (choices.length > 0) found.push({ kind: "pieces", path, choices });
    }
  }
  return found;
}

function choicesOf(form: Form, at: number): PieceChoice[] {
  const choices: PieceChoice[] = [];
  for (let nth = 0; nth < MAX_PIECES; nth++) {
    const name = `piece-${at}-${nth}`;
    const choice = form.text(name);
    if (choice === "own") choices.push({ text: form.exact(`own-${name}`) });
    else if (choice === "ours" || choice === "theirs" || choice === "ours-theirs" || choice === "theirs-ours")
      choices.push(choice);
    // A gap would shift all later choices to other conflicts.
    else return choices;
  }
  return choices;
}
