import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { ownKeys } from "../../src/keys/access.ts";
import { MAX_KEYS } from "../../src/keys/values.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type KeyForm, OwnKeysPage, type RefusedKey } from "./own.tsx";
import { keysWords } from "./words/index.ts";

const PAGE = "/user/settings/keys";
const FORM_LIMIT_BYTES = 524_288;
const ALL = { limit: MAX_KEYS, offset: 0 };

/** The user's own keys: list, add, verify and remove (contract web.md 1.4). */
export function ownKeyPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownKeys } as const;
  return [
    { ...page, method: "GET", path: PAGE, handle: (call) => list(services, call, undefined) },
    { ...page, method: "POST", path: PAGE, handle: (call) => act(services, call) },
    { ...page, method: "POST", path: `${PAGE}/delete`, handle: (call) => remove(services, call) },
  ];
}

function list(services: WebServices, call: Call, refused: RefusedKey | undefined): Response {
  const user = signedIn(call);
  const { gpgKeys, principals, sshKeys } = services;
  const view = (
    <OwnKeysPage
      shell={shellOf(services, call)}
      sshKeys={sshKeys.listOf(user, undefined, ALL).items}
      gpgKeys={gpgKeys.listOf(user, ALL).items}
      {...(principals.rules.size > 0 ? { principals: principals.list(call.principal, user) } : {})}
      token={sshKeys.proofToken(user)}
      {...(refused ? { refused } : {})}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

async function act(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call, FORM_LIMIT_BYTES);
  const kind = kindOf(form.text("type"));
  const t = wordsFor(call, keysWords);
  try {
    await perform(services, call, kind, form);
  } catch (error) {
    const about = form.text("fingerprint") || form.text("key_id");
    const text = refusalOf(call, error);
    const values = { title: form.text("title").slice(0, 255), content: form.text("content").slice(0, 65_536) };
    return list(services, call, { kind, about, text, values });
  }
  const done =
    kind === "principal" ? t("principalAdded") : kind.startsWith("verify") ? t("keyVerified") : t("keyAdded");
  return redirectAfterPost(services, call, PAGE, { kind: "success", text: done });
}

function kindOf(type: string): KeyForm {
  if (type === "ssh" || type === "gpg" || type === "principal" || type === "verify_ssh" || type === "verify_gpg")
    return type;
  throw new NotFound();
}

async function perform(services: WebServices, call: Call, kind: KeyForm, form: Form): Promise<void> {
  const { principal } = call;
  const user = signedIn(call);
  const signature = form.text("signature");
  switch (kind) {
    case "ssh":
      await services.sshKeys.add(principal, user, {
        title: form.text("title"),
        key: form.text("content"),
        isReadOnly: false,
      });
      return;
    case "gpg":
      await services.gpgKeys.add(principal, form.text("content"), signature || undefined);
      return;
    case "principal":
      services.principals.add(principal, user, form.text("content"));
      return;
    case "verify_ssh":
      await services.sshKeys.verify(principal, user, form.text("fingerprint"), signature);
      return;
    case "verify_gpg":
      await services.gpgKeys.verify(principal, form.text("key_id"), signature);
  }
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const id = form.number("id") ?? 0;
  const user = signedIn(call);
  const { principal } = call;
  switch (form.text("type")) {
    case "ssh":
      services.sshKeys.removeOf(principal, user, id);
      break;
    case "gpg":
      if (!services.gpgKeys.remove(principal, id)) throw new NotFound();
      break;
    case "principal":
      services.principals.remove(principal, user, id);
      break;
    default:
      throw new NotFound();
  }
  const text = wordsFor(call, keysWords)("keyDeleted");
  return redirectAfterPost(services, call, PAGE, { kind: "success", text });
}
