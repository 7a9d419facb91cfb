import { editFiles } from "../../src/content/access.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import type { FormErrors } from "../components/form.tsx";
import { formErrors, readForm } from "../form-data.ts";
import { repoHref } from "../links.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { actionOf, backOf, type EditPlace, editPlace, mayEditAt } from "./edit-place.ts";
import { type EditWord, ProposePage } from "./propose.tsx";
import type { Sources } from "./sources.ts";

const WORDS: ReadonlySet<string> = new Set<EditWord>(["_edit", "_new", "_delete", "_upload"]);

/** The editor form at a URL, or, for users who may not write there, the page that offers a fork. */
export function editorForm(
  sources: Sources,
  word: EditWord,
  open: (sources: Sources, call: Call) => Response | Promise<Response>,
): Omit<Route, "path"> {
  return {
    surface: "page",
    method: "GET",
    access: editFiles,
    handle: (call) =>
      mayEditAt(sources.services, editPlace(sources, call)) ? open(sources, call) : propose(sources, call, word),
  };
}

/** Forks the repository for a change, and continues in the fork's editor (contract web.md 1.6). */
export function proposePages(sources: Sources): Route[] {
  return [
    {
      surface: "page",
      method: "POST",
      access: editFiles,
      path: "/:owner/:repo/_fork/*",
      handle: (call) => forkAndEdit(sources, call),
    },
  ];
}

async function propose(sources: Sources, call: Call, word: EditWord, errors?: FormErrors<never>): Promise<Response> {
  const place = editPlace(sources, call);
  if (place.commit === undefined) throw new NotFound();
  const { services } = sources;
  const fork = services.forks.forkBy(place.seen, signedIn(call));
  const name = fork && { owner: fork.owner.login, name: fork.repo.name };
  const view = (
    <ProposePage
      shell={shellOf(services, call)}
      repo={await sources.frame(place.seen)}
      word={word}
      action={actionOf(place, "_fork")}
      back={backOf(place)}
      existing={name && { name: `${name.owner}/${name.name}`, href: editorIn(name, place, word) }}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function forkAndEdit(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = editPlace(sources, call);
  const owner = signedIn(call);
  const given = (await readForm(call)).text("editor");
  const word = WORDS.has(given) ? (given as EditWord) : "_edit";
  const there = services.forks.forkBy(place.seen, owner);
  try {
    const { name } = there?.repo ?? (await services.forks.create(place.seen, { owner }));
    return redirectAfterPost(services, call, editorIn({ owner: owner.login, name }, place, word));
  } catch (error) {
    return propose(sources, call, word, formErrors<never>(call, error, {}));
  }
}

function editorIn(fork: { owner: string; name: string }, { branch, path }: EditPlace, word: EditWord): string {
  return repoHref(fork, [word, segments(branch), ...(path === "" ? [] : [segments(path)])].join("/"));
}
