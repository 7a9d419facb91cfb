import type { Call, Route } from "../../src/http/route.ts";
import { signedInReader } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { transferWords } from "./words/index.ts";

/** Accepts or rejects an offered repository (contract repositories.md 8). */
export function transferPages(services: WebServices): Route[] {
  const page = { method: "POST", surface: "page", access: signedInReader } as const;
  const path = "/:owner/:repo/action";
  return [
    { ...page, path: `${path}/accept_transfer`, handle: (call) => answer(services, call, "accepted") },
    { ...page, path: `${path}/reject_transfer`, handle: (call) => answer(services, call, "rejected") },
  ];
}

function answer(services: WebServices, call: Call, how: "accepted" | "rejected"): Response {
  const seen = seenRepo(call);
  try {
    if (how === "accepted") services.transfers.accept(seen);
    else services.transfers.reject(seen);
  } catch (error) {
    return redirectAfterPost(services, call, homeOf(seen), { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, transferWords)(how, { name: seen.repo.name });
  const now = how === "accepted" ? services.repos.seeById(call.principal, seen.repo.id) : undefined;
  return redirectAfterPost(services, call, now ? homeOf(now) : "/", { kind: "success", text });
}
