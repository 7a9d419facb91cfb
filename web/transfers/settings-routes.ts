import type { Call } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { type Form, refusalOf, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { repoHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { transferWords } from "./words/index.ts";

/** The settings form that transfers a repository (contract web.md 1.11). */
export async function startTransfer(
  services: WebServices,
  call: Call,
  form: Form,
  refuse: (error: string) => Promise<Response>,
): Promise<Response> {
  const seen = seenRepo(call);
  const t = wordsFor(call, transferWords);
  const fullName = `${seen.owner.login}/${seen.repo.name}`;
  if (![seen.repo.name, fullName].includes(form.text("repo_name"))) return refuse(t("unconfirmed", { name: fullName }));
  const newOwner = form.text("new_owner_name").slice(0, 100);
  let isDone: boolean;
  try {
    isDone = services.transfers.start(seen, newOwner, []);
  } catch (error) {
    if (error instanceof Failure && error.code === "transfer.no-such-owner") return refuse(refusalText(call, error));
    return refuse(refusalOf(call, error));
  }
  const text = isDone ? t("transferred", { name: newOwner }) : t("offered", { name: newOwner });
  const name = services.identity.byLogin(newOwner)?.login ?? newOwner;
  const still = services.repos.seeById(call.principal, seen.repo.id);
  const to = !isDone ? homeOf(seen, "settings") : still ? repoHref({ owner: name, name: seen.repo.name }) : "/";
  return redirectAfterPost(services, call, to, { kind: "success", text });
}

export function cancelTransfer(services: WebServices, call: Call): Response {
  const seen = seenRepo(call);
  services.transfers.cancel(seen);
  const text = wordsFor(call, transferWords)("cancelled");
  return redirectAfterPost(services, call, homeOf(seen, "settings"), { kind: "success", text });
}
