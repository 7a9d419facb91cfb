import type { Call } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { Form } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { forksWords } from "./words/index.ts";

/** The settings form that turns a fork into an independent repository (contract web.md 1.11). */
export async function detachFork(
  services: WebServices,
  call: Call,
  form: Form,
  refuse: (error: string) => Promise<Response>,
): Promise<Response> {
  const seen = seenRepo(call);
  if (seen.repo.forkOf === undefined) throw new NotFound();
  const t = wordsFor(call, forksWords);
  const name = `${seen.owner.login}/${seen.repo.name}`;
  if (![seen.repo.name, name].includes(form.text("repo_name"))) return refuse(t("detachUnconfirmed", { name }));
  services.forks.detach(seen);
  return redirectAfterPost(services, call, homeOf(seen, "settings"), { kind: "success", text: t("detached") });
}
