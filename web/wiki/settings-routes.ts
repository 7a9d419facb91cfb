import type { Call } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { wikiWords } from "./words/index.ts";

/** Takes the whole wiki of a repository away, once its name was typed. @throws NotFound, Forbidden, Locked */
export async function deleteWiki(
  services: WebServices,
  call: Call,
  form: Form,
  refuse: (error: string) => Promise<Response>,
): Promise<Response> {
  const seen = seenRepo(call);
  const t = wordsFor(call, wikiWords);
  const name = `${seen.owner.login}/${seen.repo.name}`;
  if (![seen.repo.name, name].includes(form.text("repo_name"))) return refuse(t("deleteWikiUnconfirmed", { name }));
  services.wikiEdits.remove(seen);
  return redirectAfterPost(services, call, homeOf(seen, "settings"), { kind: "success", text: t("wikiDeleted") });
}
