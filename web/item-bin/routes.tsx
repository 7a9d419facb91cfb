import type { Call, Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { changesItems } from "../conversation/access.ts";
import { itemHref } from "../conversation/entries.ts";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ItemBinPage } from "./bin.tsx";
import { itemBinWords } from "./words/index.ts";

const PAGE = "settings/deleted-issues";
const PER_PAGE = 20;

/** The bin of a repository's issues for its administrators, and undo for the user who deleted something. */
export function itemBinPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersRepo } as const;
  const path = `/:owner/:repo/${PAGE}`;
  return [
    { ...page, method: "GET", path, handle: (call) => list(services, call) },
    { ...page, method: "POST", path: `${path}/purge`, handle: (call) => purge(services, call) },
    {
      surface: "page",
      method: "POST",
      access: changesItems,
      path: "/:owner/:repo/issues/restore",
      handle: (call) => restore(services, call),
    },
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const { config, itemBin } = services;
  const seen = seenRepo(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = itemBin.list(seen, slice);
  const href = homeOf(seen, PAGE);
  return show(
    call,
    <ItemBinPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      restore={homeOf(seen, "issues/restore")}
      purge={`${href}/purge`}
      items={items.map(({ deletedBy, ...item }) => ({ ...item, by: deletedBy ? personOf(deletedBy).name : undefined }))}
      days={config["issues.bin_days"]}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href }}
    />,
  );
}

async function restore(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const t = wordsFor(call, itemBinWords);
  try {
    const { entryId, item } = services.itemBin.restore(seen, form.number("id") ?? 0);
    const place = entryId === undefined ? itemHref(item) : `${itemHref(item)}#issuecomment-${entryId}`;
    const text = entryId === undefined ? t("restored", { number: item.issue.number }) : t("commentRestored");
    return redirectAfterPost(services, call, place, { kind: "success", text });
  } catch (error) {
    return redirectAfterPost(services, call, homeOf(seen, "issues"), { kind: "error", text: refusalOf(call, error) });
  }
}

async function purge(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const form = await readForm(call);
  const back = homeOf(seen, PAGE);
  try {
    services.itemBin.purge(seen, form.number("id") ?? 0);
  } catch (error) {
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  const text = wordsFor(call, itemBinWords)("purged");
  return redirectAfterPost(services, call, back, { kind: "success", text });
}
