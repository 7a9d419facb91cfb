import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { UserSettings } from "../account/settings.tsx";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { pageOf } from "../list-query.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { blockItem, changeBlock } from "./change.ts";
import { Blocks, type BlocksProps } from "./list.tsx";
import { blocksWords } from "./words/index.ts";

const PAGE = "/user/settings/blocked_users";
const PER_PAGE = 50;

/** The users that the account blocks (contract web.md 1.4). */
export function blockPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount, path: PAGE } as const;
  return [
    { ...page, method: "GET", handle: (call) => list(services, call) },
    { ...page, method: "POST", handle: (call) => change(services, call) },
  ];
}

/** `blockee` in the URL prefills the form, for the link on a user's page. */
function list(services: WebServices, call: Call, refused?: FormState<"blockee" | "note">): Response {
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.blocks.list(signedIn(call), slice);
  const view = (
    <BlockedUsersPage
      shell={shellOf(services, call)}
      blocks={items.map(blockItem)}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: PAGE }}
      form={refused ?? { values: { blockee: (call.query.get("blockee") ?? "").slice(0, 40) } }}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function change(services: WebServices, call: Call): Promise<Response> {
  const { blocks, identity } = services;
  const account = signedIn(call);
  const named = (login: string) => {
    const user = identity.byLogin(login);
    if (!user || !(identity.sees(call.principal, user) || blocks.isBlocked(account, user))) throw new NotFound();
    return user;
  };
  const outcome = await changeBlock(services, call, { account, named });
  if ("refused" in outcome) return list(services, call, outcome.refused);
  return redirectAfterPost(services, call, PAGE, { kind: "success", text: outcome.done });
}

/** `GET/POST /user/settings/blocked_users`. */
function BlockedUsersPage(props: Pick<BlocksProps, "blocks" | "pages" | "form"> & { shell: Shell }) {
  const t = useWords(blocksWords);
  const { shell, ...list } = props;
  return (
    <UserSettings shell={shell} section="blocked-users">
      <Blocks {...list} action={PAGE} hint={t("ownHint")} noteHint={t("ownNoteHint")} />
    </UserSettings>
  );
}
