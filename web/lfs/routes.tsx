import { disabled } from "../../src/http/disabled.ts";
import { type Call, idParam, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { administersLfs, changesLfs } from "../../src/lfs/page-access.ts";
import { checkOid } from "../../src/lfs/values.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { LfsFilePage, LfsFilesPage } from "./files.tsx";
import { PAGE } from "./frame.tsx";
import { LfsLocksPage } from "./locks.tsx";
import { LfsFoundPage, LfsPointersPage } from "./pointers.tsx";
import { lfsWords } from "./words/index.ts";

const PER_PAGE = 50;

/** Large files in a repository's settings (contract web.md 1.11). */
export function lfsPages(services: WebServices): Route[] {
  const path = `/:owner/:repo/${PAGE}`;
  type Handle = (services: WebServices, call: Call) => Promise<Response>;
  const shows = (sub: string, handle: Handle): Route => ({
    surface: "page",
    method: "GET",
    path: path + sub,
    access: administersLfs,
    handle: (call) => handle(services, call),
  });
  const changes = (sub: string, handle: Handle): Route => ({
    ...shows(sub, handle),
    method: "POST",
    access: changesLfs,
  });
  const routes = [
    shows("", files),
    shows("/show/:oid", file),
    changes("/delete/:oid", remove),
    shows("/pointers", pointers),
    changes("/pointers/associate", associate),
    changes("/cleanup", cleanUp),
    shows("/find", find),
    shows("/locks", (_, call) => locks(services, call, {})),
    changes("/locks", lock),
    changes("/locks/:id/unlock", unlock),
  ];
  return services.lfs.isEnabled ? routes : disabled(routes);
}

const frameOf = async (services: WebServices, call: Call) => ({
  shell: shellOf(services, call),
  repo: await repoFrame(services, seenRepo(call)),
});

async function files(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const paging = pageOf(call, PER_PAGE);
  const { bytes, items, total } = services.lfs.page(seen, paging);
  const pages = { page: paging.page, perPage: PER_PAGE, total, href: homeOf(seen, PAGE) };
  return show(call, <LfsFilesPage {...(await frameOf(services, call))} objects={items} bytes={bytes} pages={pages} />);
}

/** The object named in the URL. @throws NotFound */
function objectAt({ lfs }: WebServices, call: Call) {
  return lfs.get(seenRepo(call), param(call, "oid"));
}

async function file(services: WebServices, call: Call): Promise<Response> {
  const object = objectAt(services, call);
  const body = services.lfs.open(object);
  const view = (
    <LfsFilePage
      {...(await frameOf(services, call))}
      object={object}
      isStored={body !== undefined}
      mediaType={body?.blob.mediaType ?? ""}
    />
  );
  return show(call, view);
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  services.lfs.remove(seen, param(call, "oid"));
  const text = wordsFor(call, lfsWords)("deleted");
  return redirectAfterPost(services, call, homeOf(seen, PAGE), { kind: "success", text });
}

async function pointers(services: WebServices, call: Call): Promise<Response> {
  const report = await services.lfsPointers.report(seenRepo(call));
  return show(call, <LfsPointersPage {...(await frameOf(services, call))} report={report} />);
}

async function associate(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const back = homeOf(seen, `${PAGE}/pointers`);
  try {
    const count = await services.lfsPointers.associate(seen);
    const text = wordsFor(call, lfsWords)("associated", { count });
    return redirectAfterPost(services, call, back, { kind: "success", text });
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
}

async function cleanUp(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const count = await services.lfsPointers.cleanUp(seen.repo);
  const text = wordsFor(call, lfsWords)("cleanedUp", { count });
  return redirectAfterPost(services, call, homeOf(seen, `${PAGE}/pointers`), { kind: "success", text });
}

async function find(services: WebServices, call: Call): Promise<Response> {
  const oid = checkedOid(call.query.get("oid") ?? "");
  const { blobs, paths } = await services.lfsPointers.pathsOf(seenRepo(call), oid);
  return show(
    call,
    <LfsFoundPage {...(await frameOf(services, call))} oid={oid} pointers={blobs.length} paths={paths} />,
  );
}

/** @throws NotFound when it cannot be an object id */
function checkedOid(given: string): string {
  try {
    return checkOid(given);
  } catch {
    throw new NotFound();
  }
}

async function locks(services: WebServices, call: Call, form: FormState<"path">): Promise<Response> {
  const seen = seenRepo(call);
  const { identity, lfsLocks } = services;
  const { page } = pageOf(call, PER_PAGE);
  const found = lfsLocks.page(seen, page, PER_PAGE);
  const owners = identity.byIds([...new Set(found.map(({ ownerId }) => ownerId))]);
  const view = (
    <LfsLocksPage
      {...(await frameOf(services, call))}
      locks={found.map((each) => ({ ...each, owner: owners.get(each.ownerId)?.login ?? "" }))}
      pages={{ page, perPage: PER_PAGE, total: lfsLocks.count(seen), href: homeOf(seen, `${PAGE}/locks`) }}
      form={form}
    />
  );
  return show(call, view, { status: form.errors ? 422 : 200 });
}

async function lock(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const typed = (await readForm(call)).text("path").slice(0, 4096);
  const t = wordsFor(call, lfsWords);
  try {
    const { isNew } = services.lfsLocks.create(seen, typed);
    if (!isNew) return locks(services, call, { values: { path: typed }, errors: { path: t("lockedAlready") } });
  } catch (error) {
    return locks(services, call, { values: { path: typed }, errors: formErrors(call, error, { path: "path" }) });
  }
  return redirectAfterPost(services, call, homeOf(seen, `${PAGE}/locks`), { kind: "success", text: t("nowLocked") });
}

async function unlock(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  // Repository administrators may remove any lock.
  services.lfsLocks.remove(seen, idParam(call, "id"), true);
  const text = wordsFor(call, lfsWords)("nowUnlocked");
  return redirectAfterPost(services, call, homeOf(seen, `${PAGE}/locks`), { kind: "success", text });
}
